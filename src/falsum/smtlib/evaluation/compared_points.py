"""The values that a function compares its parameters with, found in its definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from falsum.smtlib.evaluation.settled import settled
from falsum.smtlib.models.model import Definition
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import Sort, function
from falsum.smtlib.substitution import without_lets
from falsum.smtlib.terms import App, Function, Lambda, Term, Var, constant
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue
from falsum.smtlib.values.functions import Closure
from falsum.smtlib.walk import binders_at, children, free_variables, subterms

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation


def compared_points(
    evaluation: Evaluation, closure: Any, arity: int, small: frozenset[int]
) -> list[list[Any]] | None:
    """The values that each parameter is compared with; None if one is used in another way.

    The parameters at the places in `small` have few values and may be used in any way.
    """
    if not isinstance(closure, Closure):
        return None
    definition = _definition_of(evaluation, closure.function)
    if definition is None:
        return None
    binders = definition.binders
    body: Term = definition.body
    while len(binders) < arity + len(closure.given) and isinstance(body, Lambda) and body.kind == "lambda":
        binders, body = (*binders, *body.binders), body.body[0]
    given_binders = binders[: len(closure.given)]
    params = binders[len(closure.given) :]
    if len(params) != arity or len(set(binders)) < len(binders):
        return None
    surroundings = dict(closure.bindings)
    surroundings.update({b: (0, p) for b, p in zip(given_binders, closure.given, strict=True)})
    looked_for = {param: place for place, param in enumerate(params) if place not in small}
    return _points_in(evaluation, without_lets(body), params, looked_for, surroundings)


def _definition_of(evaluation: Evaluation, function: Any) -> Definition | None:
    if isinstance(function, Lambda):
        return Definition(function.binders, function.body[0])
    if isinstance(function, Definition):
        return function
    return evaluation.model.definition_of(function) if isinstance(function, Function) else None


def _points_in(
    evaluation: Evaluation,
    body: Term,
    params: tuple[Var, ...],
    looked_for: dict[Var, int],
    surroundings: dict[Var, tuple[int, Any]],
) -> list[list[Any]] | None:
    values_at: list[dict[Any, None]] = [{} for _ in params]
    if body in looked_for:
        return None
    for part in subterms(body):
        if any(set(binders_at(part, slot)) & set(params) for slot in range(len(children(part)))):
            return None  # a parameter is hidden
        used = [child for child in children(part) if child in looked_for]
        if not used:
            continue
        points = _compared(evaluation, part, looked_for, surroundings) if isinstance(part, App) else None
        if points is None:
            return None
        param, values = points
        values_at[looked_for[param]].update(dict.fromkeys(values))
    return [list(points) for points in values_at]


def _compared(
    evaluation: Evaluation,
    part: App,
    looked_for: dict[Var, int],
    surroundings: dict[Var, tuple[int, Any]],
) -> tuple[Var, list[Any]] | None:
    """The parameter in `(= x value)`, `(select table x)` or `(f x)`, and the values it is compared with."""
    symbol = part.head.symbol
    if isinstance(symbol, Function) and len(part.args) == 1 and symbol.role in ("declared", "defined"):
        return _in_call(evaluation, part, symbol)
    name = part.head.symbol.canonical.name if isinstance(part.head.symbol, Operator) else ""
    if len(part.args) != 2 or name not in ("=", "distinct", "select", "@"):
        return None
    first, second = part.args
    if name in ("=", "distinct") and first in looked_for:
        first, second = second, first
    if first in looked_for or not isinstance(second, Var):
        return None
    other = _value(evaluation, first, surroundings)
    if name in ("=", "distinct"):
        value = settled(evaluation, second.sort, other)
        return None if isinstance(value, CannotSay) else (second, [value])
    return _keys_of(evaluation, other, second, function((second.sort,), part.sort))


def _in_call(evaluation: Evaluation, part: App, symbol: Function) -> tuple[Var, list[Any]] | None:
    (param,) = part.args
    assert isinstance(param, Var)
    called: Any = Closure(symbol) if symbol.args else evaluation.apart(constant(symbol))
    return _keys_of(evaluation, called, param, function((param.sort,), part.sort))


def _keys_of(evaluation: Evaluation, called: Any, param: Var, sort: Sort) -> tuple[Var, list[Any]] | None:
    """The parameter, and the keys of the table of a function that it is given to."""
    if isinstance(called, Closure):
        called = evaluation.tabulated(called, sort)
    return (param, list(called.entries)) if isinstance(called, ArrayValue) else None


def _value(evaluation: Evaluation, term: Term, surroundings: dict[Var, tuple[int, Any]]) -> Any:
    """The payload of a term; CannotSay if it depends on the parameters."""
    if not free_variables(term) <= surroundings.keys():
        return CannotSay("not a constant")
    return evaluation.applied(Closure(Definition((), term), (), surroundings), ())
