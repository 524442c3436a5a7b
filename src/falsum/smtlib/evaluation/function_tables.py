"""Functions as tables: the points at which a function may differ from its value everywhere else.

A function that only compares its parameters with values is constant except at those values. So it is
evaluated at each of them, and once at a point that equals none of them.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.models.model import Definition
from falsum.smtlib.operators import Operator
from falsum.smtlib.samples import corners
from falsum.smtlib.sorts import Sort
from falsum.smtlib.substitution import substitute
from falsum.smtlib.terms import App, Function, Lambda, Let, Term, Value, Var
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue, normal
from falsum.smtlib.values.functions import Closure
from falsum.smtlib.walk import binders_at, children, free_variables, subterms, transform

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation

_MOST_POINTS: Final = 4096
_MOST_DOMAIN: Final = 256
_SOME_POINTS: Final = 8


class _Elsewhere:
    """A point that differs from all others."""

    def __repr__(self) -> str:
        return "elsewhere"


ELSEWHERE: Final = _Elsewhere()


def tabulated(evaluation: Evaluation, payload: Any, sort: Sort) -> ArrayValue | None:
    """A function as an array, if it is constant except at some points; else None."""
    if isinstance(payload, ArrayValue):
        return payload
    points = points_of(evaluation, payload, sort)
    if points is None or len(points) != 1:
        return None
    rows: dict[Any, Any] = {}
    for point in points[0]:
        found = evaluation.applied(payload, (point,))
        if isinstance(found, CannotSay | Closure):
            return None
        rows[point] = found
    if not rows:
        return None
    default = rows.pop(ELSEWHERE, next(iter(rows.values())))
    return normal(default, rows, evaluation.domains.of(sort.args[0]))


def same_function(evaluation: Evaluation, sort: Sort, left: Any, right: Any) -> bool | CannotSay:
    """Whether two functions agree everywhere: decided at their points, or refuted at some point."""
    params = sort.args[:-1]
    left_points, right_points = (points_of(evaluation, side, sort) for side in (left, right))
    if left_points is None or right_points is None:
        some: list[list[Any]] = [list(corners(param)[:_SOME_POINTS]) for param in params]
        is_complete = False
    else:
        both = zip(left_points, right_points, strict=True)
        some = [list(dict.fromkeys([*first, *second])) for first, second in both]
        is_complete = True
    count = 1
    for points in some:
        count *= len(points)
    if count > _MOST_POINTS:
        return CannotSay("equality of two functions")
    unsure = None if is_complete else CannotSay("equality of two functions")
    for point in product(*some):
        values = [_at(evaluation, side, point) for side in (left, right)]
        answer = evaluation.equal(sort.args[-1], *values)
        if answer is False:
            return False
        if isinstance(answer, CannotSay):
            unsure = answer
    return True if unsure is None else unsure


def _at(evaluation: Evaluation, side: Any, point: tuple[Any, ...]) -> Any:
    if isinstance(side, ArrayValue):
        return side.get(point[0] if len(point) == 1 else point)
    return evaluation.applied(side, point)


def points_of(evaluation: Evaluation, payload: Any, sort: Sort) -> list[list[Any]] | None:
    """For each parameter the values at which a function may differ, and ELSEWHERE; None if not known."""
    params = sort.args[:-1]
    domains = [evaluation.domains.of(param) for param in params]
    if all(domain is not None and len(domain) <= _MOST_DOMAIN for domain in domains):
        return [list(domain) for domain in domains if domain is not None]
    if isinstance(payload, ArrayValue):
        if len(params) != 1:
            return None
        found: list[list[Any]] | None = [list(payload.entries)]
    else:
        found = _compared(evaluation, payload, len(params))
    if found is None:
        return None
    out = []
    for points, domain in zip(found, domains, strict=True):
        if domain is None or len(points) < len(domain):
            points.append(ELSEWHERE)
        out.append(points)
    return out


def definition_of(evaluation: Evaluation, function: Any) -> Definition | None:
    if isinstance(function, Lambda):
        return Definition(function.binders, function.body[0])
    assert isinstance(function, Function)
    found = evaluation.model.definitions.get(function)
    if found is None and function.name in evaluation.model.named:
        found = evaluation.model.named[function.name][1]
    return found


def _compared(evaluation: Evaluation, closure: Any, arity: int) -> list[list[Any]] | None:
    """The values that each parameter is compared with; None if one is used in another way."""
    if not isinstance(closure, Closure):
        return None
    definition = definition_of(evaluation, closure.function)
    if definition is None:
        return None
    binders = definition.binders
    body: Term = definition.body
    while len(binders) < arity + len(closure.given) and isinstance(body, Lambda) and body.kind == "lambda":
        binders, body = (*binders, *body.binders), body.body[0]
    given = binders[: len(closure.given)]
    params = binders[len(closure.given) :]
    if len(params) != arity or len(set(binders)) < len(binders):
        return None
    surroundings = dict(closure.bindings)
    surroundings.update({b: (0, p) for b, p in zip(given, closure.given, strict=True)})
    return _points_in(evaluation, _without_lets(body), params, surroundings)


def _points_in(
    evaluation: Evaluation, body: Term, params: tuple[Var, ...], surroundings: dict[Var, tuple[int, Any]]
) -> list[list[Any]] | None:
    found: dict[Var, dict[Any, None]] = {param: {} for param in params}
    if body in found:
        return None
    for part in subterms(body):
        used = [child for child in children(part) if child in found]
        if any(set(binders_at(part, slot)) & set(params) for slot in range(len(children(part)))):
            return None  # a parameter is hidden
        if not used:
            continue
        if not (isinstance(part, App) and _name(part) in ("=", "distinct") and len(part.args) == 2):
            return None
        left, right = part.args if part.args[0] in found else part.args[::-1]
        other = _value(evaluation, right, surroundings)
        if right in found or isinstance(other, CannotSay | Closure):
            return None
        found[left][other] = None  # type: ignore[index]  # it is a parameter
    return [list(found[param]) for param in params]


def _value(evaluation: Evaluation, term: Term, surroundings: dict[Var, tuple[int, Any]]) -> Any:
    """The payload of a term; CannotSay if it depends on the parameters."""
    if isinstance(term, Value):
        return term.payload
    if not free_variables(term) <= surroundings.keys():
        return CannotSay("not a constant")
    return evaluation.applied(Closure(Definition((), term), (), surroundings), ())


def _without_lets(body: Term) -> Term:
    def expanded(term: Term) -> Term | None:
        if isinstance(term, Let):
            return substitute(term.body, dict(zip(term.binders, term.values, strict=True)))
        return None

    return transform(body, expanded) if any(isinstance(t, Let) for t in subterms(body)) else body


def _name(term: App) -> str:
    symbol = term.head.symbol
    return symbol.canonical.name if isinstance(symbol, Operator) else ""
