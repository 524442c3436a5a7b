"""Bags (multisets) as frozensets of pairs: an element, and how often it occurs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Bag: TypeAlias = frozenset[tuple[Hashable, int]]

EMPTY: Bag = frozenset()


def counts(bag: Bag) -> dict[Hashable, int]:
    return dict(bag)


def from_counts(multiplicities: Mapping[Hashable, int]) -> Bag:
    return frozenset((element, count) for element, count in multiplicities.items() if count > 0)


def collected(pairs: Iterable[tuple[Hashable, int]]) -> Bag:
    """The bag of elements that may be listed several times."""
    total: dict[Hashable, int] = {}
    for element, count in pairs:
        total[element] = total.get(element, 0) + count
    return from_counts(total)


def make(element: Hashable, count: int) -> Bag:
    """`(bag e n)`: empty if the number is not positive."""
    return from_counts({element: count})


def _pointwise(function: Callable[[int, int], int]) -> Callable[[Bag, Bag], Bag]:
    def combined(left: Bag, right: Bag) -> Bag:
        first, second = counts(left), counts(right)
        elements = dict.fromkeys((*first, *second))
        return from_counts({e: function(first.get(e, 0), second.get(e, 0)) for e in elements})

    return combined


union_max = _pointwise(max)
union_disjoint = _pointwise(lambda m, n: m + n)
inter_min = _pointwise(min)
difference_subtract = _pointwise(lambda m, n: m - n)
difference_remove = _pointwise(lambda m, n: 0 if n else m)


def subbag(left: Bag, right: Bag) -> bool:
    within = counts(right)
    return all(count <= within.get(element, 0) for element, count in left)


def count(element: Hashable, bag: Bag) -> int:
    return counts(bag).get(element, 0)


def member(element: Hashable, bag: Bag) -> bool:
    return element in counts(bag)


def setof(bag: Bag) -> Bag:
    return frozenset((element, 1) for element, _ in bag)


def card(bag: Bag) -> int:
    return sum(count for _, count in bag)


def is_singleton(bag: Bag) -> bool:
    return card(bag) == 1


def choose(bag: Bag) -> Hashable | None:
    """An element of the bag; open unless it has exactly one, however often."""
    return next(element for element, _ in bag) if len(bag) == 1 else None


def from_set(elements: frozenset[Hashable]) -> Bag:
    return frozenset((element, 1) for element in elements)


def to_set(bag: Bag) -> frozenset[Hashable]:
    return frozenset(element for element, _ in bag)
