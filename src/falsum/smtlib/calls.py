"""Functions under evaluation: constructors and selectors, calls, closures, and points left open."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from falsum.smtlib.models import Definition
from falsum.smtlib.operators import Operator
from falsum.smtlib.sampling import simplest
from falsum.smtlib.terms import App, Function, Lambda, Match, Term, Var
from falsum.smtlib.theories.meanings import float_format
from falsum.smtlib.values import floats
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import Constructed
from falsum.smtlib.values.functions import Closure, OpenPoint

if TYPE_CHECKING:
    from falsum.smtlib.evaluation import Evaluation

# The answer of an operator whose result comes later, from a frame it has left.
LATER: Final = object()


class Scope(NamedTuple):
    """What has to be undone when a scope is left."""

    stamp: int
    saved: list[tuple[Var, tuple[int, Any] | None]]
    hidden: dict[Term, tuple[int, Any]] | None


@dataclass(slots=True)
class BodyFrame:
    """Waits for the body of a let or a case; then the scope is left and the whole has the body's value."""

    whole: Term
    body: Term
    scope: Scope

    def resume(self, evaluation: Evaluation) -> None:
        found = evaluation.known(self.body)
        assert found is not None
        evaluation.todo.pop()
        evaluation.leave(self.scope)
        # The body may depend on more than the scope it was in: at most on all that is bound here.
        stamp = evaluation.here if found[0] else 0
        evaluation.finish(self.whole, stamp, found[1])


def bind_and_run(
    evaluation: Evaluation, whole: Term, binders: Sequence[Var], payloads: Sequence[Any], body: Term
) -> None:
    scope = evaluation.enter(binders, payloads)
    evaluation.todo.append(BodyFrame(whole, body, scope))
    evaluation.todo.append(body)


@dataclass(slots=True)
class CallFrame:
    """Waits for the body of a function, which sees its parameters only."""

    whole: Term
    stamp: int
    key: object
    body: Term
    scope: Scope
    rest: tuple[Any, ...]
    bindings: dict[Var, tuple[int, Any]]
    open: dict[Term, tuple[int, Any]]

    def resume(self, evaluation: Evaluation) -> None:
        found = evaluation.known(self.body)
        assert found is not None
        evaluation.todo.pop()
        evaluation.leave(self.scope)
        evaluation.bindings, evaluation.open = self.bindings, self.open
        result = found[1]
        if self.rest and not isinstance(result, CannotSay):
            apply_closure(evaluation, self.whole, self.stamp, result, self.rest)
            return
        if self.key is not None:
            evaluation.calls[self.key] = result
        evaluation.finish(self.whole, self.stamp, result)


def call(
    evaluation: Evaluation,
    whole: Term,
    stamp: int,
    key: object,
    definition: Definition,
    args: Sequence[Any],
    surroundings: dict[Var, tuple[int, Any]] | None = None,
) -> None:
    """Evaluates a definition for arguments; the result becomes the value of `whole`."""
    outer, outer_open = evaluation.bindings, evaluation.open
    evaluation.bindings, evaluation.open = dict(surroundings or {}), {}
    count = len(definition.binders)
    scope = evaluation.enter(definition.binders, args[:count])
    frame = CallFrame(whole, stamp, key, definition.body, scope, tuple(args[count:]), outer, outer_open)
    # Bindings a closure has brought along hold while it runs.
    evaluation.alive.update(number for number, _ in evaluation.bindings.values())
    evaluation.todo.append(frame)
    evaluation.todo.append(definition.body)


def apply_function(
    evaluation: Evaluation, term: App, symbol: Operator | Function, stamp: int, args: list[Any]
) -> None:
    """A function symbol of the script or model, its arguments evaluated."""
    assert isinstance(symbol, Function)
    if len(args) < len(symbol.args):
        evaluation.finish(term, stamp, Closure(symbol, tuple(args)))
        return
    if symbol.role in _ROLES:
        blocked = _blocked(symbol, args)
        result = blocked if blocked is not None else _ROLES[symbol.role](evaluation, term, symbol, args)
        evaluation.finish(term, stamp, result)
        return
    blocked = next((arg for arg in args if isinstance(arg, CannotSay)), None)
    if blocked is not None:
        evaluation.finish(term, stamp, _same_point(symbol, args) or blocked)
        return
    call_symbol(evaluation, term, stamp, symbol, args)


def call_symbol(
    evaluation: Evaluation, whole: Term, stamp: int, symbol: Function, args: Sequence[Any]
) -> None:
    key: object = (symbol, tuple(args))
    if any(isinstance(arg, Closure) for arg in args):
        key = None
    if key is not None and key in evaluation.calls:
        evaluation.finish(whole, stamp, evaluation.calls[key])
        return
    definition = evaluation.model.definitions.get(symbol)
    if definition is None:
        printed = evaluation.model.named.get(symbol.name)
        definition = printed[1] if printed is not None and printed[0].args == symbol.args else None
    if definition is None:
        # The solver left it out: it may be anything, so it is the simplest.
        evaluation.finish(whole, stamp, simplest(symbol.result, evaluation.model))
        return
    call(evaluation, whole, stamp, key, definition, args)


def apply_closure(evaluation: Evaluation, whole: Term, stamp: int, closure: Any, args: Sequence[Any]) -> None:
    """A function value applied to further arguments."""
    if not isinstance(closure, Closure):
        evaluation.finish(whole, stamp, CannotSay("a value is applied like a function"))
        return
    given = (*closure.given, *args)
    if isinstance(closure.function, Function):
        wanted = len(closure.function.args)
        if len(given) < wanted:
            evaluation.finish(whole, stamp, Closure(closure.function, given))
        else:
            call_symbol(evaluation, whole, stamp, closure.function, given)
        return
    lambda_ = closure.function
    assert isinstance(lambda_, Lambda)
    if len(given) < len(lambda_.binders):
        evaluation.finish(whole, stamp, Closure(lambda_, given, closure.bindings))
        return
    definition = Definition(lambda_.binders, lambda_.body[0])
    call(evaluation, whole, stamp, None, definition, given, closure.bindings)


def choose_case(evaluation: Evaluation, term: Match, subject: Any) -> None:
    """The first case of a match that fits."""
    if isinstance(subject, CannotSay):
        evaluation.finish(term, evaluation.here, subject)
        return
    for case in term.cases:
        if case.constructor is None:
            bind_and_run(evaluation, term, case.binders, (subject,), case.body)
            return
        if isinstance(subject, Constructed) and subject.constructor == case.constructor.name:
            bind_and_run(evaluation, term, case.binders, subject.args, case.body)
            return
    evaluation.finish(term, evaluation.here, CannotSay("no case of the match fits"))


# -- roles of functions ----------------------------------------------------------------------------


def _construct(evaluation: Evaluation, term: App, symbol: Function, args: list[Any]) -> Any:
    del evaluation, term
    return Constructed(symbol.name, tuple(args))


def _select(evaluation: Evaluation, term: App, symbol: Function, args: list[Any]) -> Any:
    (subject,) = args
    for name, selectors in _constructors(evaluation, term.args[0]):
        for place, (selector, _) in enumerate(selectors):
            if selector == symbol.name and isinstance(subject, Constructed) and subject.constructor == name:
                return subject.args[place]
    return open_point(evaluation, term, symbol.name, args)


def _test(evaluation: Evaluation, term: App, symbol: Function, args: list[Any]) -> Any:
    del evaluation, term
    return isinstance(args[0], Constructed) and args[0].constructor == symbol.subject


def _update(evaluation: Evaluation, term: App, symbol: Function, args: list[Any]) -> Any:
    """A selector's field changed; a value of another constructor stays as it is."""
    subject, new = args
    for name, selectors in _constructors(evaluation, term.args[0]):
        for place, (selector, _) in enumerate(selectors):
            if selector == symbol.subject and subject.constructor == name:
                fields = list(subject.args)
                fields[place] = new
                return Constructed(name, tuple(fields))
    return subject


def _constructors(evaluation: Evaluation, subject: Term) -> Sequence[tuple[str, Any]]:
    datatype = evaluation.model.datatypes.get(subject.sort.name)
    return datatype.constructors if datatype is not None else ()


_ROLES: Final = {
    "constructor": _construct,
    "selector": _select,
    "tester": _test,
    "updater": _update,
}


def _blocked(symbol: Function, args: Sequence[Any]) -> CannotSay | None:
    for arg in args:
        if isinstance(arg, CannotSay):
            return arg
        if isinstance(arg, Closure):
            return CannotSay(f"{symbol.name} of a function")
    return None


def _same_point(symbol: Function, args: Sequence[Any]) -> OpenPoint | None:
    """A function of an open point is open, too, but the same for the same arguments."""
    if any(isinstance(arg, CannotSay) and not isinstance(arg, OpenPoint) for arg in args):
        return None
    if any(isinstance(arg, Closure) for arg in args):
        return None
    return OpenPoint(f"{symbol.name} of an open point", symbol.name, (), tuple(args))


# Under which names solvers print what they chose for an operator at an open point.
_PRINTED: Final = {
    "/": ("/0", "@div_by_zero"),
    "div": ("div0", "@int_div_by_zero"),
    "mod": ("mod0", "@mod_by_zero"),
    "seq.nth": ("seq.nth_u",),
}


def open_point(evaluation: Evaluation, term: App, name: str, args: Sequence[Any]) -> Any:
    """The value at a point the standard leaves open: the model's choice, or an OpenPoint."""
    indices = tuple(index for index in term.head.indices if isinstance(index, Hashable))
    point = OpenPoint(
        f"the standard leaves {name} open here", name, indices, tuple(args), _choices(evaluation, term, name)
    )
    if point in evaluation.choices:
        return evaluation.choices[point]
    for printed in _PRINTED.get(name, ()):
        found = evaluation.model.named.get(printed)
        if found is not None:
            count = len(found[1].binders)
            stamp = evaluation.here
            call(evaluation, term, stamp, None, found[1], list(args)[:count])
            return LATER
    evaluation.open_points[point] = None
    return point


def _choices(evaluation: Evaluation, term: App, name: str) -> tuple[Hashable, ...]:
    """The values the standard allows, where they are few."""
    if name in ("fp.min", "fp.max"):
        fmt = float_format(term.sort)
        return (floats.plus_zero(fmt), floats.minus_zero(fmt))
    domain = evaluation.domains.of(term.sort)
    return domain if domain is not None and len(domain) <= _MOST_CHOICES else ()


_MOST_CHOICES: Final = 8
