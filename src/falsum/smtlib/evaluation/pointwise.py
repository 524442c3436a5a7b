"""Evaluates z3's pointwise operators on arrays: map, and set operators on arrays of Booleans."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App, app, value
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.elements import ArrayValue, normal
from falsum.smtlib.values.functions import Closure

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation


def _pointwise(
    evaluation: Evaluation, term: App, payloads: list[Any], at_point: Callable[..., Any]
) -> ArrayValue | CannotSay:
    """The array of a function's values at each point, and elsewhere."""
    arrays = [_array(evaluation, arg.sort, payload) for arg, payload in zip(term.args, payloads, strict=True)]
    if any(isinstance(array, CannotSay | Closure) for array in arrays):
        return evaluation.unsure(term, arrays)
    points = dict.fromkeys(point for array in arrays for point in array.entries)
    default = at_point(*(array.default for array in arrays))
    entries = {point: at_point(*(array.get(point) for array in arrays)) for point in points}
    unknown = [v for v in (default, *entries.values()) if isinstance(v, CannotSay | Closure)]
    if unknown:
        return evaluation.unsure(term, unknown)
    domain = evaluation.domains.of(term.args[0].sort.args[0]) if len(term.args[0].sort.args) == 2 else None
    return normal(default, entries, domain)


def _array(evaluation: Evaluation, sort: Sort, payload: Any) -> Any:
    """Sets as arrays of Booleans, where both are allowed."""
    if isinstance(payload, frozenset):
        return normal(False, dict.fromkeys(payload, True), evaluation.domains.of(sort.args[0]))
    return payload


def _map(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    symbol = term.head.symbol
    mapped = symbol.mapped if isinstance(symbol, Operator) else None
    if mapped is None:
        return CannotSay("map is not evaluated")
    sorts = [arg.sort.args[-1] if arg.sort.name == "Array" else _BOOL for arg in term.args]

    def at_point(*elements: Any) -> Any:
        parts = [value(sort, element, "") for sort, element in zip(sorts, elements, strict=True)]
        return evaluation.apart(app(mapped, parts))

    return _pointwise(evaluation, term, payloads, at_point)


_BOOL: Final = Sort("Bool")


def _by(at_point: Callable[..., bool]) -> Callable[[Evaluation, App, list[Any]], Any]:
    return lambda evaluation, term, payloads: _pointwise(evaluation, term, payloads, at_point)


def _subset(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    truth = _pointwise(evaluation, term, payloads, lambda p, q: q or not p)
    return truth if isinstance(truth, CannotSay) else truth == ArrayValue(default=True, entries={})


def _set_of(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    """z3's implicit conversion of an array of Booleans to a set."""
    (array,) = payloads
    if isinstance(array, frozenset):
        return array
    if isinstance(array, CannotSay | Closure):
        return evaluation.unsure(term, payloads)
    domain = evaluation.domains.of(term.sort.args[0])
    if domain is not None:
        return frozenset(point for point in domain if array.get(point))
    if array.default:
        return CannotSay("an infinite set")
    return frozenset(array.entries)


def _universe(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    """The universe, or its elements that are not in a set (`set.complement`).

    cvc5's universe is any set that contains all others, even over Bool, and models do not print it.
    """
    domains = evaluation.domains
    domains.met_universe = True
    every = domains.of(term.sort.args[0]) if domains.has_full_universes else None
    if every is None:
        return CannotSay("the universe of a sort is the solver's choice")
    if payloads and not isinstance(payloads[0], frozenset):
        return evaluation.unsure(term, payloads)
    return frozenset(every).difference(*payloads)


POINTWISE: Final[dict[str, Callable[[Evaluation, App, list[Any]], Any]]] = {
    "map": _map,
    "union": _by(lambda *parts: any(parts)),
    "intersection": _by(lambda *parts: all(parts)),
    "setminus": _by(lambda first, *rest: first and not any(rest)),
    "complement": _by(lambda part: not part),
    "subset": _subset,
    "set-of": _set_of,
    "set.universe": _universe,
    "set.complement": _universe,
}
