"""Evaluates operators that apply a function to the elements of a collection: map, filter, fold and others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from falsum.smtlib.evaluation.function_tables import value_at
from falsum.smtlib.evaluation.settled import settled
from falsum.smtlib.models.model import Definition
from falsum.smtlib.operators import Operator
from falsum.smtlib.sorts import Sort, flat
from falsum.smtlib.terms import App, Lambda, app, value
from falsum.smtlib.theories.meanings import numbers
from falsum.smtlib.theories.tuples import NULL, some
from falsum.smtlib.values import bags, relations
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.functions import Closure

if TYPE_CHECKING:
    from falsum.smtlib.evaluation.machine import Evaluation

# The most sub-collections that are folded to find out whether the order matters.
_MOST_PARTS: Final = 1024
_ORDER: Final = CannotSay("the result of a fold depends on the order of the elements")
_Special = Callable[["Evaluation", App, list[Any]], Any]


class _UnknownError(Exception):
    """Raised if the value of a function at an element is unknown."""

    def __init__(self, reason: CannotSay) -> None:
        self.reason = CannotSay(reason.reason)


class _Function:
    """A function value that is applied to elements."""

    def __init__(self, evaluation: Evaluation, sort: Sort, payload: Any) -> None:
        self.evaluation = evaluation
        self.sort = flat(sort)
        self.payload = payload

    def __call__(self, *args: Any) -> Any:
        self.evaluation.steps -= 4
        result = value_at(self.payload, self.sort, args, self.evaluation.applied)
        result = settled(self.evaluation, self.sort.args[-1], result)
        if isinstance(result, CannotSay):
            raise _UnknownError(result)
        return result


def _special(operator: Callable[..., Any]) -> _Special:
    """An operator whose first argument is a function and whose others are plain payloads."""

    def evaluated(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
        first, *rest = payloads
        rest = [settled(evaluation, t.sort, p) for t, p in zip(term.args[1:], rest, strict=True)]
        unknown = [payload for payload in (first, *rest) if isinstance(payload, CannotSay)]
        if unknown:
            return CannotSay(unknown[0].reason)
        try:
            return operator(_Function(evaluation, term.args[0].sort, first), *rest)
        except _UnknownError as error:
            return error.reason

    return evaluated


# -- sequences ---------------------------------------------------------------------------------------


def _seq_map(function: _Function, elements: Iterable[Any]) -> Any:
    return tuple(function(element) for element in elements)


def _seq_map_numbered(function: _Function, start: int, elements: Iterable[Any]) -> Any:
    return tuple(function(start + place, element) for place, element in enumerate(elements))


def _seq_fold(function: _Function, result: Any, elements: Iterable[Any]) -> Any:
    for element in elements:
        result = function(result, element)
    return result


def _seq_fold_numbered(function: _Function, start: int, result: Any, elements: Iterable[Any]) -> Any:
    for place, element in enumerate(elements):
        result = function(start + place, result, element)
    return result


# -- sets and bags -----------------------------------------------------------------------------------


def _every(function: _Function, elements: Iterable[Any]) -> bool:
    """Whether all elements have a property; one without it decides, even if others are unknown."""
    return not _any(lambda element: not function(element), elements)


def _any(has: Callable[[Any], bool], elements: Iterable[Any]) -> bool:
    unknown = None
    for element in elements:
        try:
            if has(element):
                return True
        except _UnknownError as error:
            unknown = error
    if unknown is not None:
        raise unknown
    return False


def _fold(function: _Function, start: Any, bag: bags.Bag) -> Any:
    """The result of a fold, if it is the same in every order.

    For every part of the collection, all results are computed from those of the parts with one element less.
    """
    elements = sorted(bag, key=repr)
    parts = 1
    for _, count in elements:
        parts *= count + 1
        if parts > _MOST_PARTS:
            return CannotSay("a fold over a large collection")
    results: dict[tuple[int, ...], set[Any]] = {}
    for part in product(*(range(count + 1) for _, count in elements)):
        if not any(part):
            results[part] = {start}
            continue
        reached = set()
        for place, (element, _) in enumerate(elements):
            if part[place]:
                before = (*part[:place], part[place] - 1, *part[place + 1 :])
                reached |= {function(element, result) for result in results[before]}
        if len(reached) > 1:
            return _ORDER
        results[part] = reached
    (result,) = results[tuple(count for _, count in elements)]
    return result


def _partition(function: _Function, bag: bags.Bag) -> Any:
    """The classes of an equivalence relation; undefined for other relations."""
    if not bag:
        return CannotSay("the partition of an empty bag")
    elements = [element for element, _ in sorted(bag, key=repr)]
    classes: dict[Any, frozenset[Any]] = {}
    for element in elements:
        classes[element] = frozenset(other for other in elements if function(element, other))
    for element, related in classes.items():
        if element not in related or any(classes[other] != related for other in related):
            return CannotSay("the partition by a relation that is no equivalence")
    counts = bags.counts(bag)
    parts = (frozenset((e, counts[e]) for e in related) for related in dict.fromkeys(classes.values()))
    return bags.collected((part, 1) for part in parts)


def _aggregate(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    """`((_ table.aggr i …) f initial table)`: folds each group of rows."""
    columns, is_set = numbers(term), term.sort.name == "Set"

    def aggregated(function: _Function, start: Any, rows: Any) -> Any:
        if is_set:
            parts = [bags.from_set(part) for part in relations.groups(rows, columns)]
        else:
            parts = relations.table_groups(rows, columns)
        results = [_fold(function, start, part) for part in parts or [bags.EMPTY]]
        unknown = next((result for result in results if isinstance(result, CannotSay)), None)
        if unknown is not None:
            return unknown
        return frozenset(results) if is_set else bags.collected((result, 1) for result in results)

    return _special(aggregated)(evaluation, term, payloads)


def _lift(evaluation: Evaluation, term: App, payloads: list[Any]) -> Any:
    """`(nullable.lift f x …)` and `((_ nullable.lift f) x …)`: null if an argument is."""
    symbol = term.head.symbol
    head = symbol.mapped if isinstance(symbol, Operator) else None

    def lifted(function: Callable[..., Any], args: list[Any]) -> Any:
        return some(function(*(arg.args[0] for arg in args))) if all(arg.args for arg in args) else NULL

    if head is None:
        return _special(lambda function, *args: lifted(function, list(args)))(evaluation, term, payloads)
    if any(isinstance(payload, CannotSay) for payload in payloads):
        return evaluation.unsure(term, payloads)
    sorts = [arg.sort.args[0] for arg in term.args]
    result = lifted(
        lambda *args: evaluation.apart(
            app(head, [value(sort, arg, "") for sort, arg in zip(sorts, args, strict=True)])
        ),
        payloads,
    )
    unknown = next((arg for arg in result.args if isinstance(arg, CannotSay)), None)
    return result if unknown is None else CannotSay(unknown.reason)


def comprehended(evaluation: Evaluation, term: Lambda) -> Any:
    """`(set.comprehension ((x S) …) condition element)`, over domains with few values."""
    domain = evaluation.domains.product([binder.sort for binder in term.binders])
    if domain is None:
        return CannotSay("set.comprehension over an infinite or large domain")
    condition, element = (
        Closure(Definition(term.binders, part), (), dict(evaluation.bindings)) for part in term.body
    )
    elements = set()
    for point in domain:
        assert isinstance(point, tuple)
        holds = evaluation.applied(condition, point)
        value = settled(evaluation, term.sort.args[0], evaluation.applied(element, point)) if holds else None
        for part in (holds, value):
            if isinstance(part, CannotSay):
                return CannotSay(part.reason)
        if holds:
            elements.add(value)
    return frozenset(elements)


HIGHER_ORDER: Final[dict[str, _Special]] = {
    "seq.map": _special(_seq_map),
    "seq.mapi": _special(_seq_map_numbered),
    "seq.foldl": _special(_seq_fold),
    "seq.foldli": _special(_seq_fold_numbered),
    "set.map": _special(lambda f, elements: frozenset(f(element) for element in elements)),
    "set.filter": _special(lambda f, elements: frozenset(e for e in elements if f(e))),
    "set.all": _special(_every),
    "set.some": _special(_any),
    "set.fold": _special(lambda f, start, elements: _fold(f, start, bags.from_set(elements))),
    "bag.map": _special(lambda f, bag: bags.collected((f(e), n) for e, n in bag)),
    "bag.filter": _special(lambda f, bag: frozenset((e, n) for e, n in bag if f(e))),
    "bag.all": _special(lambda f, bag: _every(f, bags.to_set(bag))),
    "bag.some": _special(lambda f, bag: _any(f, bags.to_set(bag))),
    "bag.fold": _special(_fold),
    "bag.partition": _special(_partition),
    "rel.aggr": _aggregate,
    "table.aggr": _aggregate,
    "nullable.lift": _lift,
}
