"""Relations as frozensets of tuples."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeAlias

from falsum.smtlib.values.cannot_say import CannotSay

Row: TypeAlias = tuple[Hashable, ...]
Relation: TypeAlias = frozenset[Row]

# Larger products and closures are not computed.
MAX_ROWS = 100_000

_TOO_MANY = CannotSay("relation too big")


def join(left: Relation, right: Relation) -> Relation | CannotSay:
    """Joins the last column of `left` with the first of `right`; both columns are dropped."""
    by_first: dict[Hashable, list[Row]] = {}
    for row in right:
        by_first.setdefault(row[0], []).append(row)
    if sum(len(by_first.get(row[-1], ())) for row in left) > MAX_ROWS:
        return _TOO_MANY
    return frozenset(row[:-1] + other[1:] for row in left for other in by_first.get(row[-1], ()))


def product(left: Relation, right: Relation) -> Relation | CannotSay:
    if len(left) * len(right) > MAX_ROWS:
        return _TOO_MANY
    return frozenset(row + other for row in left for other in right)


def transpose(relation: Relation) -> Relation:
    return frozenset(row[::-1] for row in relation)


def closure(relation: Relation) -> Relation | CannotSay:
    """The transitive closure of a binary relation."""
    after: dict[Hashable, set[Hashable]] = {}
    for first, second in relation:
        after.setdefault(first, set()).add(second)
    out: set[Row] = set()
    for start, following in after.items():
        seen: set[Hashable] = set()
        todo = list(following)
        while todo:
            place = todo.pop()
            if place not in seen:
                seen.add(place)
                todo.extend(after.get(place, ()))
        out.update((start, place) for place in seen)
        if len(out) > MAX_ROWS:
            return _TOO_MANY
    return frozenset(out)


def identity(relation: Relation) -> Relation:
    """The pairs (x, x) of a relation with one column."""
    return frozenset(row * 2 for row in relation)


def join_image(relation: Relation, count: int) -> Relation:
    """The elements that are related to at least `count` others."""
    seconds: dict[Hashable, int] = {}
    for first, _ in relation:
        seconds[first] = seconds.get(first, 0) + 1
    return frozenset((first,) for first, number in seconds.items() if number >= count)


def project(relation: Relation, columns: Sequence[int]) -> Relation:
    return frozenset(tuple(row[column] for column in columns) for row in relation)
