"""Evaluates calls, closures, lets and cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from falsum.smtlib.models.model import Definition
from falsum.smtlib.terms import Function, Lambda, Match, Term, Var
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue, Constructed
from falsum.smtlib.values.functions import Closure

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation

# Returned by an operator whose result comes later, from a frame that it has pushed.
LATER: Final = object()


class _Elsewhere:
    """A point that differs from all others."""

    def __repr__(self) -> str:
        return "elsewhere"


ELSEWHERE: Final = _Elsewhere()


class EnteredScope(NamedTuple):
    """What `leave` needs to undo a scope."""

    stamp: int
    saved: list[tuple[Var, tuple[int, Any] | None]]
    hidden: dict[Term, tuple[int, Any]] | None


class BodyFrame:
    """Waits for the body of a let or a case, then leaves its scope; the whole term has the body's value.

    `stamp` is that of the bindings that the choice of the body depends on.
    """

    __slots__ = ("body", "scope", "stamp", "whole")

    def __init__(self, whole: Term, body: Term, scope: EnteredScope, stamp: int) -> None:
        self.whole = whole
        self.body = body
        self.scope = scope
        self.stamp = stamp

    def resume(self, evaluation: Evaluation) -> None:
        entry = evaluation.known(self.body)
        assert entry is not None
        evaluation.todo.pop()
        evaluation.leave(self.scope)
        # The body may depend on outer scopes as well, so assume the innermost one.
        evaluation.finish(self.whole, evaluation.here if entry[0] else self.stamp, entry[1])


def bind_and_run(
    evaluation: Evaluation,
    whole: Term,
    binders: Sequence[Var],
    payloads: Sequence[Any],
    body: Term,
    stamp: int = 0,
) -> None:
    scope = evaluation.enter(binders, payloads)
    evaluation.todo.append(BodyFrame(whole, body, scope, stamp))
    evaluation.todo.append(body)


@dataclass(slots=True, eq=False)
class CallFrame:
    """Waits for the body of a function, in which only its parameters are bound."""

    whole: Term
    stamp: int
    key: object
    body: Term
    scope: EnteredScope
    rest: tuple[Any, ...]
    bindings: dict[Var, tuple[int, Any]]
    open: dict[Term, tuple[int, Any]]
    revived: set[int]

    def resume(self, evaluation: Evaluation) -> None:
        entry = evaluation.known(self.body)
        assert entry is not None
        evaluation.todo.pop()
        evaluation.leave(self.scope)
        evaluation.alive -= self.revived
        evaluation.depth -= 1
        evaluation.bindings, evaluation.open = self.bindings, self.open
        result = entry[1]
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
    """Evaluates a definition at arguments; the result becomes the value of `whole`."""
    if evaluation.depth >= evaluation.fuel:
        evaluation.is_exhausted = True
        evaluation.finish(whole, stamp, CannotSay("the recursion is too deep"))
        return
    evaluation.depth += 1
    outer, outer_open = evaluation.bindings, evaluation.open
    evaluation.bindings, evaluation.open = dict(surroundings or {}), {}
    count = len(definition.binders)
    scope = evaluation.enter(definition.binders, args[:count])
    # The bindings of a closure are valid while it runs.
    revived = {number for number, _ in surroundings.values()} - evaluation.alive if surroundings else set()
    evaluation.alive |= revived
    rest = tuple(args[count:])
    frame = CallFrame(whole, stamp, key, definition.body, scope, rest, outer, outer_open, revived)
    evaluation.todo.append(frame)
    evaluation.todo.append(definition.body)


def call_symbol(
    evaluation: Evaluation, whole: Term, stamp: int, symbol: Function, args: Sequence[Any]
) -> None:
    key: object = (symbol, tuple(args))
    if any(isinstance(arg, Closure) for arg in args):
        key = None
    if key is not None and key in evaluation.calls:
        evaluation.finish(whole, stamp, evaluation.calls[key])
        return
    definition = evaluation.model.definition_of(symbol)
    if definition is None and symbol.name in evaluation.model.unreadable:
        reason = evaluation.model.unreadable[symbol.name]
        evaluation.finish(whole, stamp, CannotSay(f"the model's {symbol.name} cannot be read: {reason}"))
        return
    if definition is None and symbol.role != "declared":
        # Its definition is not part of the script at this place; no value can stand for it.
        evaluation.finish(whole, stamp, CannotSay(f"{symbol.name} is not defined"))
        return
    if definition is None:
        # A symbol that the solver leaves out may be anything, so it is the simplest value.
        value, rest = evaluation.simplest(symbol.result), args[len(symbol.args) :]
        if rest and not isinstance(value, CannotSay):
            apply_closure(evaluation, whole, stamp, value, rest)
        else:
            evaluation.finish(whole, stamp, value)
        return
    call(evaluation, whole, stamp, key, definition, args)


def apply_closure(evaluation: Evaluation, whole: Term, stamp: int, closure: Any, args: Sequence[Any]) -> None:
    """Applies a function value to further arguments; those of tables are settled payloads."""
    place = 0
    while isinstance(closure, ArrayValue) and place < len(args):
        closure = closure.get(args[place])
        place += 1
    args = args[place:]
    if place and not args:
        evaluation.finish(whole, stamp, closure)
        return
    if not isinstance(closure, Closure):
        evaluation.finish(whole, stamp, CannotSay("a value that is not a function is applied"))
        return
    all_args = (*closure.given, *args)
    if isinstance(closure.function, Function):
        arity = len(closure.function.args)
        if len(all_args) < arity:
            evaluation.finish(whole, stamp, Closure(closure.function, all_args))
        else:
            call_symbol(evaluation, whole, stamp, closure.function, all_args)
        return
    if isinstance(closure.function, Definition):
        call(evaluation, whole, stamp, None, closure.function, all_args, closure.bindings)
        return
    lambda_ = closure.function
    assert isinstance(lambda_, Lambda)
    if len(all_args) < len(lambda_.binders):
        evaluation.finish(whole, stamp, Closure(lambda_, all_args, closure.bindings))
        return
    definition = Definition(lambda_.binders, lambda_.body[0])
    call(evaluation, whole, stamp, None, definition, all_args, closure.bindings)


def choose_case(evaluation: Evaluation, term: Match, stamp: int, subject: Any) -> None:
    """Evaluates the first case of a match that applies."""
    if isinstance(subject, CannotSay):
        evaluation.finish(term, evaluation.here, CannotSay(subject.reason))
        return
    for case in term.cases:
        if case.constructor is None:
            bind_and_run(evaluation, term, case.binders, (subject,), case.body, stamp)
            return
        if isinstance(subject, Constructed) and subject.constructor == case.constructor.name:
            bind_and_run(evaluation, term, case.binders, subject.args, case.body, stamp)
            return
    evaluation.finish(term, evaluation.here, CannotSay("no case of the match applies"))
