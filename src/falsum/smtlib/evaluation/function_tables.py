"""Functions as tables: the points at which a function may differ from its default value.

A function that only compares its parameters with values is constant except at those values. So it is
evaluated at each of them, and once at a point that equals none of them. The table of a function of several
parameters maps the first to a table of the others, whichever way its sort is written: `(-> A B C)` or `(-> A
(-> B C))`. The table of an array of several dimensions maps tuples.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.evaluation.compared_points import compared_points
from falsum.smtlib.evaluation.functions import ELSEWHERE
from falsum.smtlib.samples import corners
from falsum.smtlib.sorts import Sort, flat
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue, normal
from falsum.smtlib.values.functions import Closure

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation

_MOST_POINTS: Final = 4096
_MOST_DOMAIN: Final = 256
_SOME_POINTS: Final = 8
_UNDECIDED: Final = CannotSay("equality of two functions")


def tabulated(evaluation: Evaluation, payload: Any, sort: Sort) -> ArrayValue | CannotSay | None:
    """A function as a table; None if it is not known to be constant except at some points.

    CannotSay if its value at one of the points is not known.
    """
    if isinstance(payload, ArrayValue):
        return payload
    sort = flat(sort)
    points = points_of(evaluation, payload, sort)
    if points is None or _count(points) > _MOST_POINTS:
        return None
    is_array = sort.name == "Array"
    if is_array and len(points) > 1 and any(ELSEWHERE in some for some in points):
        return None
    rows: dict[Any, Any] = {}
    for point in product(*points):
        value = evaluation.applied(payload, point)
        if isinstance(value, Closure):
            value = tabulated(evaluation, value, sort.args[-1])
        if value is None or isinstance(value, CannotSay):
            return value
        rows[point] = value
    if not rows:
        return None
    if is_array and len(points) > 1:
        return normal(next(iter(rows.values())), rows, evaluation.domains.product(sort.args[:-1]))
    return _curried(evaluation, sort, rows)


def _curried(evaluation: Evaluation, sort: Sort, rows: dict[Any, Any]) -> ArrayValue:
    """The table of tables that has these values at these points, some of which may be ELSEWHERE."""
    for place in reversed(range(len(sort.args) - 1)):
        domain = evaluation.domains.of(sort.args[place])
        grouped: dict[Any, dict[Any, Any]] = {}
        for point, value in rows.items():
            grouped.setdefault(point[:place], {})[point[place]] = value
        rows = {}
        for before, entries in grouped.items():
            default = entries.pop(ELSEWHERE, next(iter(entries.values())))
            rows[before] = normal(default, entries, domain)
    table = rows[()]
    assert isinstance(table, ArrayValue)
    return table


def same_function(evaluation: Evaluation, sort: Sort, left: Any, right: Any) -> bool | CannotSay:
    """Whether two functions agree everywhere: decided at their points, or refuted at some point."""
    sort = flat(sort)
    params = sort.args[:-1]
    left_points, right_points = (points_of(evaluation, side, sort) for side in (left, right))
    if left_points is None or right_points is None:
        some: list[list[Any]] = [list(corners(param)[:_SOME_POINTS]) for param in params]
        unsure: CannotSay | None = _UNDECIDED
    else:
        both = zip(left_points, right_points, strict=True)
        some = [list(dict.fromkeys([*first, *second])) for first, second in both]
        unsure = None
    if _count(some) > _MOST_POINTS:
        return _UNDECIDED
    # Whether there is a point elsewhere depends on the number of elements.
    doubtful = [evaluation.domains.is_unsized(param) for param in params]
    for point in product(*some):
        values = [value_at(side, sort, point, evaluation.applied) for side in (left, right)]
        answer = evaluation.equal(sort.args[-1], *values)
        if answer is False:
            if not any(d and p is ELSEWHERE for d, p in zip(doubtful, point, strict=True)):
                return False
            unsure = unsure or CannotSay("a declared sort may have few elements")
        if isinstance(answer, CannotSay):
            unsure = answer
    return True if unsure is None else unsure


def value_at(side: Any, sort: Sort, point: tuple[Any, ...], apply: Callable[[Any, Any], Any]) -> Any:
    """The value of a function or an array at a point."""
    if isinstance(side, ArrayValue) and sort.name == "Array":
        return side.get(point[0] if len(point) == 1 else point)
    return apply(side, point)


def points_of(evaluation: Evaluation, payload: Any, sort: Sort) -> list[list[Any]] | None:
    """For each parameter the values at which a function may differ, and ELSEWHERE; None if not known."""
    params = sort.args[:-1]
    domains = [evaluation.domains.of(param) for param in params]
    small = {
        place: list(domain)
        for place, domain in enumerate(domains)
        if domain is not None and len(domain) <= _MOST_DOMAIN
    }
    if len(small) == len(params):
        return list(small.values())
    if isinstance(payload, ArrayValue):
        keys = _keys(payload, sort)
    else:
        keys = compared_points(evaluation, payload, len(params), frozenset(small))
    if keys is None:
        return None
    for place, (points, domain) in enumerate(zip(keys, domains, strict=True)):
        if place in small:
            keys[place] = small[place]
        elif domain is None or len(points) < len(domain):
            points.append(ELSEWHERE)
    return keys


def _keys(table: ArrayValue, sort: Sort) -> list[list[Any]] | None:
    """The values of each parameter that a table mentions."""
    arity = len(sort.args) - 1
    if sort.name == "Array":
        rows = [(index,) if arity == 1 else index for index in table.entries]
        return [list(dict.fromkeys(column)) for column in zip(*rows, strict=True)] or [
            [] for _ in range(arity)
        ]
    keys = []
    level: list[Any] = [table]
    for _ in range(arity):
        if not all(isinstance(one, ArrayValue) for one in level):
            return None
        keys.append(list(dict.fromkeys(key for one in level for key in one.entries)))
        level = [value for one in level for value in (one.default, *one.entries.values())]
    return keys


def _count(points: list[list[Any]]) -> int:
    count = 1
    for some in points:
        count *= len(some)
    return count


def as_function(evaluation: Evaluation, table: ArrayValue, sort: Sort) -> ArrayValue | CannotSay:
    """The table of an array of several dimensions as a table of the function sort with the same arguments."""
    if len(sort.args) == 2:
        return table
    keys = _keys(table, Sort("Array", (), sort.args))
    assert keys is not None
    points = [[*some, ELSEWHERE] for some in keys]
    if _count(points) > _MOST_POINTS:
        return CannotSay("an array with too many entries as a function")
    rows = {point: table.get(point) for point in product(*points)}
    return _curried(evaluation, sort, rows)


def as_array(evaluation: Evaluation, table: ArrayValue, sort: Sort) -> ArrayValue | CannotSay:
    """The table of a function of several parameters as that of an array sort with the same arguments."""
    if len(sort.args) == 2:
        return table
    keys = _keys(table, Sort("->", (), sort.args))
    domain = evaluation.domains.product(sort.args[:-1])
    elsewhere = evaluation.applied(table, (ELSEWHERE,) * (len(sort.args) - 1))
    if keys is None or isinstance(elsewhere, CannotSay):
        return CannotSay("a function as an array")
    points: tuple[Any, ...] = domain or tuple(product(*([*some, ELSEWHERE] for some in keys)))
    if len(points) > _MOST_POINTS:
        return CannotSay("a function with too many points as an array")
    rows = {point: evaluation.applied(table, point) for point in points}
    entries = {point: value for point, value in rows.items() if value != elsewhere}
    if domain is None and any(ELSEWHERE in point for point in entries):
        return CannotSay("a function that differs at infinitely many points as an array")
    return normal(elsewhere, entries, domain)
