"""Relations as frozensets of tuples."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TypeAlias

from falsum.smtlib.values.bags import Bag, collected
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


def join_image(relation: Relation, count: int) -> Relation | CannotSay:
    """The elements related to at least `count` others; for a count below one, cvc5's own reading."""
    if count < 1:
        return CannotSay("rel.join_image of less than one")
    seconds: dict[Hashable, int] = {}
    for first, _ in relation:
        seconds[first] = seconds.get(first, 0) + 1
    return frozenset((first,) for first, number in seconds.items() if number >= count)


def project(relation: Relation, columns: Sequence[int]) -> Relation:
    return frozenset(tuple(row[column] for column in columns) for row in relation)


def join_on(left: Relation, right: Relation, on: Sequence[tuple[int, int]]) -> Relation | CannotSay:
    """Joins rows that agree on pairs of columns; all columns are kept."""
    by_key = _by_columns(right, [j for _, j in on])
    keys = [i for i, _ in on]
    if sum(len(by_key.get(_key(row, keys), ())) for row in left) > MAX_ROWS:
        return _TOO_MANY
    return frozenset(row + other for row in left for other in by_key.get(_key(row, keys), ()))


def table_join(left: Bag, right: Bag, on: Sequence[tuple[int, int]]) -> Bag | CannotSay:
    """As `join_on`, of bags of rows: numbers of occurrences are multiplied."""
    counts: dict[Hashable, int] = dict(right)
    pairs = join_on(frozenset(_rows(left)), frozenset(_rows(right)), on)
    if isinstance(pairs, CannotSay):
        return pairs
    first: dict[Hashable, int] = dict(left)
    width = len(next(_rows(left), ()))
    return collected((row, first[row[:width]] * counts[row[width:]]) for row in pairs)


def groups(relation: Relation, columns: Sequence[int]) -> list[Relation]:
    """The rows, grouped by their values in some columns."""
    return [frozenset(rows) for rows in _by_columns(relation, columns).values()]


def table_groups(table: Bag, columns: Sequence[int]) -> list[Bag]:
    counts: dict[Hashable, int] = dict(table)
    parts = groups(frozenset(_rows(table)), columns)
    return [frozenset((row, counts[row]) for row in part) for part in parts]


def _rows(table: Bag) -> Iterator[Row]:
    for row, _ in table:
        assert isinstance(row, tuple)
        yield row


def _by_columns(relation: Iterable[Row], columns: Sequence[int]) -> dict[Row, list[Row]]:
    rows_by_key: dict[Row, list[Row]] = {}
    for row in relation:
        rows_by_key.setdefault(_key(row, columns), []).append(row)
    return rows_by_key


def _key(row: Row, columns: Sequence[int]) -> Row:
    return tuple(row[column] for column in columns)
