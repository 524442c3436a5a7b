"""One evaluation: a stack of work, and the results so far.

A result may depend on bound variables. Every binding gets a number, its stamp, and a result has the highest
stamp that it depends on: it is valid as long as that binding is. Closed terms have stamp zero and stay valid.
Where an inner variable hides an outer one of the same name and sort, and inside functions, results of open
terms are kept separately.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Protocol, TypeGuard

from falsum.smtlib.domains import Domains
from falsum.smtlib.evaluation import applications, functions, higher_order
from falsum.smtlib.evaluation.equality import equal
from falsum.smtlib.evaluation.function_tables import tabulated
from falsum.smtlib.evaluation.heaps import Heap, is_spatial_argument
from falsum.smtlib.evaluation.plans import plan_of
from falsum.smtlib.evaluation.quantifiers.instances import quantify
from falsum.smtlib.models.model import Definition, Model
from falsum.smtlib.operators import Operator
from falsum.smtlib.samples import simplest
from falsum.smtlib.sorts import BOOL, REGLAN, Sort, flat
from falsum.smtlib.substitution import substitute
from falsum.smtlib.terms import (
    Annotated,
    App,
    Lambda,
    Let,
    Match,
    Quantifier,
    Term,
    Value,
    Var,
    value,
)
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue
from falsum.smtlib.values.functions import Closure, OpenPoint

# Depths of recursion that are allowed one after the other: a little suffices if another part decides.
FUELS: Final = (50, 1_000, 20_000)
OUT_OF_STEPS: Final = CannotSay("the evaluation takes too many steps")
# Payloads that no operator's meaning takes.
_NOT_PLAIN: Final = frozenset((CannotSay, OpenPoint, Closure))
_BASIC: Final = frozenset((bool, int, str, Fraction, frozenset, CannotSay))
# Evaluations nested in another take Python's stack.
_MOST_NESTED: Final = 40
# Stands for the application of a closure to which no term belongs.
_APPLICATION: Final = value(BOOL, object(), "application")


class Frame(Protocol):
    """Work that waits for a result."""

    def resume(self, evaluation: Evaluation) -> None: ...


def _is_frame(item: Term | Frame) -> TypeGuard[Frame]:
    return item.__class__ not in _SHAPES


class Evaluation:
    """The state of one evaluation; `run` may be called for several terms of one model."""

    def __init__(
        self, model: Model, steps: int, like: Evaluation | None = None, *, is_cautious: bool = False
    ) -> None:
        self.model = model
        self.steps = steps
        # Choices at open points, all open points by their application, and those that this evaluation met.
        self.choices: dict[OpenPoint, Any] = {}
        self.points: dict[object, OpenPoint] = {} if like is None else like.points
        self.domains: Domains = (
            Domains(model.datatypes, model.universes, is_cautious=is_cautious)
            if like is None
            else like.domains
        )
        # For each sort whose values have several payloads, the one that stands for each value.
        self.representatives: dict[Sort, dict[Any, Any]] = {} if like is None else like.representatives
        self.open_points: dict[OpenPoint, None] = {}
        # Symbols defined as plain values need no call.
        self.constants: Mapping[Any, Value] = model.constants
        self.calls: dict[object, Any] = {}
        # Values that are tried for the variables of a quantifier over an infinite domain.
        self.candidates: dict[Quantifier, list[list[Any]]] = {}
        # Quantifiers that elimination cannot decide.
        self.not_linear: set[Quantifier] = set() if like is None else like.not_linear
        self.todo: list[Term | Frame] = []
        self.closed: dict[Term, Any] = {}
        self.open: dict[Term, tuple[int, Any]] = {}
        self.bindings: dict[Var, tuple[int, Any]] = {}
        self.alive: set[int] = set()
        self.scopes: list[int] = [0]
        self.last_stamp = 0
        # The depth of nested calls, and of nested evaluations.
        self.depth = 0
        self.nesting = 0
        # The heap in which formulas are evaluated; None before it was asked for.
        self.heap: Heap | CannotSay | None = None if like is None else like.heap
        # The deepest nesting of calls, each of which takes memory, and whether one went deeper.
        self.fuel: int = FUELS[-1] if like is None else like.fuel
        self.is_exhausted = False
        # Functions whose tables are being made.
        self.tabulating: set[object] = set() if like is None else like.tabulating
        # The cost of a step: higher inside quantifiers, where the work exceeds the size of the term.
        self.price = 1

    def run(self, term: Term) -> Any:
        """The payload of a closed term, or CannotSay."""
        self.todo.append(term)
        if not self._work():
            return OUT_OF_STEPS
        entry = self.known(term)
        assert entry is not None
        return entry[1]

    def applied(self, closure: Any, args: Sequence[Any]) -> Any:
        """The payload of a function value at arguments, found in a nested evaluation."""
        if self.nesting >= _MOST_NESTED:
            return CannotSay("functions are nested too deeply")
        inner = self._inner()
        inner.calls = self.calls
        return self._finished(inner, closure, args)

    def apart(self, term: Term) -> Any:
        """The payload of a closed term, computed in a nested evaluation."""
        return self.applied(Closure(Definition((), term)), ())

    def in_heap(self, heap: Heap, term: Term) -> Any:
        """The payload of a term in another heap, found in a nested evaluation."""
        if self.nesting >= _MOST_NESTED:
            return CannotSay("separation logic is nested too deeply")
        inner = self._inner()
        inner.heap = heap
        return self._finished(inner, Closure(Definition((), term), (), dict(self.bindings)), ())

    def _inner(self) -> Evaluation:
        """A nested evaluation; results of calls are not shared."""
        inner = Evaluation(self.model, self.steps, self)
        inner.choices, inner.open_points = self.choices, self.open_points
        inner.candidates, inner.price = self.candidates, self.price
        # Stamps in the bindings of closures must not be used again.
        inner.last_stamp, inner.depth, inner.nesting = self.last_stamp, self.depth, self.nesting + 1
        return inner

    def _finished(self, inner: Evaluation, closure: Any, args: Sequence[Any]) -> Any:
        functions.apply_closure(inner, _APPLICATION, 0, closure, args)
        finished = inner._work()
        self.steps = inner.steps
        self.is_exhausted |= inner.is_exhausted
        return inner.closed[_APPLICATION] if finished else OUT_OF_STEPS

    def _work(self) -> bool:
        """Work until the stack is empty; False if the steps run out."""
        todo, closed = self.todo, self.closed
        while todo:
            item = todo[-1]
            if item in closed:
                todo.pop()
                continue
            self.steps -= self.price
            if self.steps < 0:
                self._abandon()
                return False
            if item.__class__ is App:
                self._visit_app(item)
            elif _is_frame(item):
                item.resume(self)
            elif self.known(item) is not None:  # type: ignore[arg-type]  # it is a term
                todo.pop()
            elif item.__class__ is Let:
                self._visit_let(item)
            else:
                self._visit(item)  # type: ignore[arg-type]  # it is a term
        return True

    def forget(self) -> None:
        """Forgets all results, which may depend on the fuel."""
        self.closed.clear()
        self.open.clear()
        self.calls.clear()
        self.not_linear.clear()

    def _abandon(self) -> None:
        self.todo.clear()
        self.open.clear()
        self.bindings.clear()
        self.alive.clear()
        self.scopes = [0]
        self.depth = 0
        self.price = 1

    # -- results -----------------------------------------------------------------------------------

    def known(self, term: Term) -> tuple[int, Any] | None:
        """The stamp and payload of a term, if there is a valid result."""
        if term in self.closed:
            return 0, self.closed[term]
        if term.__class__ is App and not term.args:
            constant = self.constants.get(term.head.symbol)
            if constant is not None:
                self.closed[term] = constant.payload
                return 0, constant.payload
        entry = self.open.get(term)
        if entry is not None and entry[0] in self.alive:
            return entry
        return None

    def finish(self, term: Term, stamp: int, payload: Any) -> None:
        if stamp:
            self.open[term] = (stamp, payload)
        else:
            self.closed[term] = payload

    def parts(self, terms: Sequence[Term]) -> tuple[int, list[Any]] | None:
        """The highest stamp and the payloads of terms; if some are missing, pushes those and returns None."""
        closed, constants, bindings = self.closed, self.constants, self.bindings
        stamp = 0
        payloads: list[Any] = []
        missing: list[Term | Frame] = []
        for term in terms:
            if term in closed:
                payloads.append(closed[term])
                continue
            # Values and constants of the model are looked up here: visiting each of them takes longer.
            if term.__class__ is Value:
                payload = closed[term] = term.payload
                payloads.append(payload)
                continue
            if term.__class__ is App and not term.args:
                constant = constants.get(term.head.symbol)
                if constant is not None:
                    payload = closed[term] = constant.payload
                    payloads.append(payload)
                    continue
            # Looking up a variable is cheaper than keeping its result.
            entry = bindings.get(term) if term.__class__ is Var else self.open.get(term)
            if entry is None or entry[0] not in self.alive:
                missing.append(term)
            else:
                payloads.append(entry[1])
                stamp = max(stamp, entry[0])
        if missing:
            missing.reverse()
            self.todo.extend(missing)
            return None
        return stamp, payloads

    def equal(self, sort: Sort, left: Any, right: Any) -> bool | CannotSay:
        """Whether two payloads are the same value."""
        return equal(self, sort, left, right)

    def tabulated(self, closure: Closure, sort: Sort) -> Any:
        """The table of a function; None if it has none, CannotSay if a value in it is not known."""
        if closure.function in self.tabulating:
            return None  # it calls itself
        self.tabulating.add(closure.function)
        try:
            return tabulated(self, closure, sort)
        finally:
            self.tabulating.discard(closure.function)

    def simplest(self, sort: Sort) -> Any:
        """The simplest payload of a sort, for symbols that a model leaves out."""
        if sort.name == "->":
            sort = flat(sort)
            simplest_value = self.simplest(sort.args[-1])
            for _ in sort.args[:-1]:
                simplest_value = (
                    simplest_value
                    if isinstance(simplest_value, CannotSay)
                    else ArrayValue(simplest_value, {})
                )
            return simplest_value
        payload = simplest(sort, self.model)
        if payload.__class__ in _BASIC or sort is REGLAN or not self._may_have_languages(sort):
            return payload
        # Languages inside other values have to be settled.
        return CannotSay(f"no value of sort {sort} is known")

    def _may_have_languages(self, sort: Sort) -> bool:
        seen: set[Sort] = set()
        todo = [sort]
        while todo:
            one = todo.pop()
            if one is REGLAN:
                return True
            datatype = self.model.datatypes.get(one.name)
            fields = [field for c in datatype.constructors for _, field in c.selectors] if datatype else []
            seen.add(one)
            todo += [part for part in (*one.args, *fields) if part not in seen]
        return False

    def unsure(self, term: App, payloads: Sequence[Any]) -> CannotSay:
        """The result of an application if an argument is unknown: of an open point, another open point."""
        reason = ""
        for payload in payloads:
            if payload.__class__ is CannotSay:
                return payload
            if payload.__class__ is Closure:
                return CannotSay(f"{_name(term)} of a function")
            if payload.__class__ is OpenPoint:
                reason = reason or payload.reason
        return self.point(reason, term, payloads)

    def point(
        self, reason: str, term: App, payloads: Sequence[Any], choices: tuple[Hashable, ...] = ()
    ) -> OpenPoint:
        """The open point of an application: the same for the same operator and payloads (congruence)."""
        sorts = tuple([arg.sort for arg in term.args])
        key = (term.head.symbol, term.head.indices, term.sort, sorts, tuple(payloads))
        point = self.points.get(key)
        if point is None:
            point = self.points[key] = OpenPoint(reason, choices, 1 + len(self.points))
        return point

    # -- scopes ------------------------------------------------------------------------------------

    def enter(self, binders: Sequence[Var], payloads: Sequence[Any]) -> functions.EnteredScope:
        """Binds variables; returns what `leave` needs."""
        self.last_stamp += 1
        stamp, bindings = self.last_stamp, self.bindings
        saved_bindings, hides = [], False
        for binder, payload in zip(binders, payloads, strict=True):
            old = bindings.get(binder)
            hides |= old is not None
            saved_bindings.append((binder, old))
            bindings[binder] = (stamp, payload)
        hidden = None
        if hides:
            hidden, self.open = self.open, {}
        self.alive.add(stamp)
        self.scopes.append(stamp)
        return functions.EnteredScope(stamp, saved_bindings, hidden)

    def leave(self, scope: functions.EnteredScope) -> None:
        self.alive.discard(scope.stamp)
        self.scopes.pop()
        for binder, old in scope.saved:
            if old is None:
                self.bindings.pop(binder, None)
            else:
                self.bindings[binder] = old
        if scope.hidden is not None:
            self.open = scope.hidden

    @property
    def here(self) -> int:
        """The stamp of the innermost scope, for results that may depend on any binding."""
        return self.scopes[-1]

    # -- terms -------------------------------------------------------------------------------------

    def _visit_app(self, term: App) -> None:
        lazy, meaning, careful = plan_of(term.head)
        if self.open:
            entry = self.open.get(term)
            if entry is not None and entry[0] in self.alive:
                self.todo.pop()
                return
        if lazy is not None:
            lazy(self, term)
            return
        args = term.args
        if not args and meaning is None and careful is None:
            constant = self.constants.get(term.head.symbol)
            if constant is not None:
                self.todo.pop()
                self.closed[term] = constant.payload
                return
        parts = self.parts(args)
        if parts is None:
            return
        stamp, payloads = parts
        if careful is not None:
            result = careful(self, term, payloads)
            if result is None:
                result = applications.open_point(self, term, stamp, _name(term), payloads)
        elif meaning is not None:
            for payload in payloads:
                if payload.__class__ in _NOT_PLAIN:
                    result = self.unsure(term, payloads)
                    break
            else:
                result = meaning(term, payloads)
                if result is None:
                    result = applications.open_point(self, term, stamp, _name(term), payloads)
        else:
            applications.apply_function(self, term, term.head.symbol, stamp, payloads)
            return
        if result is not functions.LATER:
            self.todo.pop()
            self.finish(term, stamp, result)

    def _visit_let(self, term: Let) -> None:
        if self.model.heap is not None and is_spatial_argument(term.values):
            # The variables stand for formulas, which may be evaluated in other heaps.
            inlined = substitute(term.body, dict(zip(term.binders, term.values, strict=True)))
            self.todo[-1] = applications.SameFrame(term, inlined)
            return
        values = self.parts(term.values)
        if values is not None:
            functions.bind_and_run(self, term, term.binders, values[1], term.body)

    def _visit(self, term: Term) -> None:
        if isinstance(term, Value):
            self.finish(term, 0, term.payload)
        elif isinstance(term, Var):
            bound = self.bindings.get(term)
            if bound is None:
                self.finish(term, self.here, CannotSay(f"variable {term.name} is free"))
            else:
                self.finish(term, *bound)
        elif isinstance(term, Annotated):
            values = self.parts((term.body,))
            if values is not None:
                self.finish(term, values[0], values[1][0])
        elif isinstance(term, Match):
            values = self.parts((term.subject,))
            if values is not None:
                functions.choose_case(self, term, values[0], values[1][0])
        elif isinstance(term, Lambda):
            if term.kind == "set.comprehension":
                self.finish(term, self.here, higher_order.comprehended(self, term))
                return
            payload = Closure(term, (), dict(self.bindings))
            self.finish(term, self.here, payload if term.kind == "lambda" else _no_meaning(term))
        elif isinstance(term, Quantifier):
            quantify(self, term)


_SHAPES: Final = frozenset((Value, Var, Quantifier, Let, Lambda, Match, Annotated))


def _name(term: App) -> str:
    symbol = term.head.symbol
    return symbol.canonical.name if isinstance(symbol, Operator) else symbol.name


def _no_meaning(term: Lambda) -> CannotSay:
    return CannotSay(f"{term.kind} is not evaluated")
