"""One evaluation: a stack of what is left to do, and a memory of what is known.

What a term is worth may depend on bound variables. Every binding gets a number, and a result remembers the
highest number it has used: it holds as long as that binding does. Closed terms have number zero and hold
for ever. Where an inner variable hides an outer one of the same name and sort, and inside functions, open
terms are remembered apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from falsum.smtlib import calls, connectives
from falsum.smtlib.domains import Domains
from falsum.smtlib.models import Model
from falsum.smtlib.operators import Operator
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
)
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.functions import Closure, OpenPoint

OUT_OF_STEPS: Final = CannotSay("the evaluation takes too many steps")


class Frame(Protocol):
    """Work that waits for a result."""

    def resume(self, evaluation: Evaluation) -> None: ...


class Evaluation:
    """The state of one evaluation; `run` may be called for several terms of one model."""

    def __init__(self, model: Model, steps: int, choices: dict[OpenPoint, Any] | None = None) -> None:
        self.model = model
        self.steps = steps
        self.choices = choices or {}
        self.domains = Domains(model.datatypes, model.universes)
        self.open_points: dict[OpenPoint, None] = {}
        self.calls: dict[object, Any] = {}
        self.todo: list[Term | Frame] = []
        self.closed: dict[Term, Any] = {}
        self.open: dict[Term, tuple[int, Any]] = {}
        self.bindings: dict[Var, tuple[int, Any]] = {}
        self.alive: set[int] = set()
        self.scopes: list[int] = [0]
        self.last_stamp = 0

    def run(self, term: Term) -> Any:
        """The payload of a closed term, or CannotSay."""
        todo = self.todo
        todo.append(term)
        while todo:
            item = todo[-1]
            if isinstance(item, App):
                if self.known(item) is None:
                    self.steps -= 1
                    self._visit_app(item)
                else:
                    todo.pop()
            elif isinstance(item, Value | Var | Quantifier | Let | Lambda | Match | Annotated):
                if self.known(item) is None:
                    self.steps -= 1
                    self._visit(item)
                else:
                    todo.pop()
            else:
                self.steps -= 1
                item.resume(self)
            if self.steps < 0:
                self._abandon()
                return OUT_OF_STEPS
        found = self.known(term)
        assert found is not None
        return found[1]

    def _abandon(self) -> None:
        self.todo.clear()
        self.open.clear()
        self.bindings.clear()
        self.alive.clear()
        self.scopes = [0]

    # -- what is known -----------------------------------------------------------------------------

    def known(self, term: Term) -> tuple[int, Any] | None:
        """The stamp and payload of a term, if it has been evaluated and still holds."""
        if term in self.closed:
            return 0, self.closed[term]
        found = self.open.get(term)
        if found is not None and found[0] in self.alive:
            return found
        return None

    def finish(self, term: Term, stamp: int, payload: Any) -> None:
        if stamp:
            self.open[term] = (stamp, payload)
        else:
            self.closed[term] = payload

    def parts(self, terms: Sequence[Term]) -> tuple[int, list[Any]] | None:
        """The highest stamp and the payloads of terms; None (and they are to do) if one is missing."""
        stamp, payloads, missing = 0, [], []
        for term in terms:
            if isinstance(term, Value):
                payloads.append(term.payload)
                continue
            found = self.known(term)
            if found is None:
                missing.append(term)
            else:
                payloads.append(found[1])
                stamp = max(stamp, found[0])
        if missing:
            self.todo.extend(reversed(missing))
            return None
        return stamp, payloads

    # -- scopes ------------------------------------------------------------------------------------

    def enter(self, binders: Sequence[Var], payloads: Sequence[Any]) -> calls.Scope:
        """Binds variables; gives what `leave` needs."""
        self.last_stamp += 1
        stamp = self.last_stamp
        saved = [(binder, self.bindings.get(binder)) for binder in binders]
        hidden = None
        if any(old is not None for _, old in saved):
            hidden, self.open = self.open, {}
        for binder, payload in zip(binders, payloads, strict=True):
            self.bindings[binder] = (stamp, payload)
        self.alive.add(stamp)
        self.scopes.append(stamp)
        return calls.Scope(stamp, saved, hidden)

    def leave(self, scope: calls.Scope) -> None:
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
        """The stamp of the innermost scope: what may depend on anything bound depends on it."""
        return self.scopes[-1]

    # -- terms -------------------------------------------------------------------------------------

    def _visit_app(self, term: App) -> None:
        symbol = term.head.symbol
        if isinstance(symbol, Operator):
            lazy = connectives.LAZY.get(symbol.canonical.name)
            if lazy is not None and symbol.theory == "Core":
                lazy(self, term)
                return
            found = self.parts(term.args)
            if found is None:
                return
            stamp, payloads = found
            result = self._operate(symbol.canonical, term, payloads)
            if result is not calls.LATER:
                self.finish(term, stamp, result)
            return
        found = self.parts(term.args)
        if found is not None:
            calls.apply_function(self, term, symbol, *found)

    def _operate(self, operator: Operator, term: App, payloads: list[Any]) -> Any:
        special = connectives.SPECIAL.get(operator.name)
        if special is not None:
            return special(self, term, payloads)
        for payload in payloads:
            if isinstance(payload, CannotSay):
                return payload
            if isinstance(payload, Closure):
                return CannotSay(f"{operator.name} of a function")
        meaning = operator.meaning
        if meaning is None:
            return CannotSay(f"{operator.name} has no meaning here")
        result = meaning(term, payloads)
        if result is None:
            return calls.open_point(self, term, operator.name, payloads)
        return result

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
            found = self.parts((term.body,))
            if found is not None:
                self.finish(term, found[0], found[1][0])
        elif isinstance(term, Let):
            found = self.parts(term.values)
            if found is not None:
                calls.bind_and_run(self, term, term.binders, found[1], term.body)
        elif isinstance(term, Match):
            found = self.parts((term.subject,))
            if found is not None:
                calls.choose_case(self, term, found[1][0])
        elif isinstance(term, Lambda):
            payload = Closure(term, (), dict(self.bindings))
            self.finish(term, self.here, payload if term.kind == "lambda" else _no_meaning(term))
        elif isinstance(term, Quantifier):
            connectives.quantify(self, term)


def _no_meaning(term: Lambda) -> CannotSay:
    return CannotSay(f"{term.kind} is not evaluated")
