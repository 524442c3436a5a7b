"""Counts the formulas of a grammar by size, and maps numbers to formulas (ranking and unranking).

Terms are counted with open places for variables, whose numbers are kept by sort. A filling then names the
open places in the order they first occur, so formulas that differ only in names are counted once. Of two
arguments that commute, the smaller comes first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import isqrt, prod
from typing import NamedTuple, TypeAlias

from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.theories import kind_of
from falsum.strategies.growth import Constants, Grammar, TermTemplate, VariablePlace

# The number of open places of each sort, in the order of the space's sorts.
OpenPlaces: TypeAlias = tuple[int, ...]


class TermClass(NamedTuple):
    """All terms of one sort, size and number of open places; or some constants, or a variable."""

    sort: Sort | Constants | VariablePlace
    size: int
    open: OpenPlaces


class _Cell(NamedTuple):
    """The terms of one template with arguments from given classes; leaves have no template.

    `before` is the number of terms in the preceding cells.
    """

    before: int
    template: TermTemplate | None
    parts: tuple[TermClass, ...]


class _OpenPlace(NamedTuple):
    """A place for a variable."""

    sort: Sort


class FormulaSpace:
    """The formulas of a grammar with at most `variables` variables and `constants` constants of each sort.

    Unless `ground`, an operator is not applied to constants only if the result has constants, too.
    """

    def __init__(self, grammar: Grammar, variables: int, constants: int, *, ground: bool = False) -> None:
        self._ground = ground
        self.grammar = grammar
        self.variables = variables
        self.sorts = (BOOL, *grammar.theme.sorts)
        self._none: OpenPlaces = (0,) * len(self.sorts)
        # A formula with `true` or `false` in it is equivalent to a smaller one.
        self._constants = {s: () if s is BOOL else t[:constants] for s, t in grammar.constants.items()}
        self._shown = constants
        self._cells: dict[TermClass, list[_Cell]] = {}
        self._counts: dict[TermClass, int] = {}
        self._opens: dict[tuple[Sort, int], list[OpenPlaces]] = {}
        # One object per class, however many cells it occurs in.
        self._known: dict[tuple[Sort, int], list[TermClass]] = {}

    def count(self, size: int) -> int:
        """The number of formulas of a size, up to renaming of variables."""
        return sum(self._weight(part) for part in self._formulas(size))

    def formula(self, size: int, number: int) -> tuple[str, dict[str, Sort]]:
        """The formula with this number among those of its size, and its variables."""
        for part in self._formulas(size):
            weight = self._weight(part)
            if number < weight:
                fillings = self._fillings(part.open)
                return self._filled(self._term(part, number // fillings), part.open, number % fillings)
            number -= weight
        raise IndexError(number)

    def _formulas(self, size: int) -> Iterator[TermClass]:
        for places in self._opened(BOOL, size):
            yield TermClass(BOOL, size, places)

    def _weight(self, part: TermClass) -> int:
        return self._counts[part] * self._fillings(part.open)

    def _fillings(self, places: OpenPlaces) -> int:
        return prod(_ways(count, 0, self.variables) for count in places)

    def _opened(self, sort: Sort, size: int) -> list[OpenPlaces]:
        """The possible numbers of open places of terms with a sort and a size; counts the terms on the
        way.
        """
        if (sort, size) not in self._opens:
            for less in range(1, size + 1):
                for each in self.sorts:
                    if (each, less) not in self._opens:
                        self._opens[each, less] = self._counted(each, less)
        return self._opens[sort, size]

    def _counted(self, sort: Sort, size: int) -> list[OpenPlaces]:
        cells_by_places: dict[OpenPlaces, list[_Cell]] = {}
        totals: dict[OpenPlaces, int] = {}
        for template, parts in self._made(sort, size):
            places = (
                tuple(map(sum, zip(*(part.open for part in parts), strict=True)))
                if template
                else parts[0].open
            )
            if template and not self._ground and places == self._none and kind_of(sort).has_literals:
                continue
            before = totals.get(places, 0)
            count = self._combinations(template, parts)
            if count:
                cells_by_places.setdefault(places, []).append(_Cell(before, template, parts))
                totals[places] = before + count
        for places, cells in cells_by_places.items():
            part = TermClass(sort, size, places)
            self._cells[part] = cells
            self._counts[part] = totals[places]
        return sorted(cells_by_places)

    def _made(self, sort: Sort, size: int) -> Iterator[tuple[TermTemplate | None, tuple[TermClass, ...]]]:
        """Every template with every choice of argument classes that gives the size, or the leaves."""
        if size == 1:
            if kind_of(sort).is_first_class:
                yield None, (TermClass(VariablePlace(sort), 1, self._one(sort)),)
            if self._constants[sort]:
                yield None, (TermClass(self._constants[sort], 1, self._none),)
            return
        groups = self.grammar.operators[sort] + (self.grammar.connectives if sort is BOOL else ())
        for group in groups:
            for template in group:
                places = [piece for piece in template.pieces if not isinstance(piece, str)]
                for parts in self._choices(places, size - 1):
                    if not template.commutes or parts[-2][1:] <= parts[-1][1:]:
                        yield template, parts

    def _choices(
        self, places: Sequence[Sort | Constants | VariablePlace], size: int
    ) -> Iterator[tuple[TermClass, ...]]:
        """Classes for the places whose sizes add up to the given size."""
        partial: list[tuple[tuple[TermClass, ...], int]] = [((), size)]
        for index, place in enumerate(places):
            after = len(places) - index - 1
            extended = []
            for parts, left in partial:
                sizes = range(1, left - after + 1) if after else range(left, left + 1)
                extended += [
                    ((*parts, part), left - part.size) for n in sizes for part in self._parts(place, n)
                ]
            partial = extended
        return (parts for parts, _ in partial)

    def _parts(self, place: Sort | Constants | VariablePlace, size: int) -> list[TermClass]:
        if isinstance(place, Sort):
            if (place, size) not in self._known:
                opens = self._opened(place, size) if size else []
                self._known[place, size] = [TermClass(place, size, opened) for opened in opens]
            return self._known[place, size]
        if size != 1:
            return []
        if isinstance(place, VariablePlace):
            return [TermClass(place, 1, self._one(place.sort))]
        return [TermClass(place[: self._shown], 1, self._none)]

    def _one(self, sort: Sort) -> OpenPlaces:
        return tuple(int(each is sort) for each in self.sorts)

    def _total(self, part: TermClass) -> int:
        if isinstance(part.sort, Sort):
            return self._counts[part]
        return 1 if isinstance(part.sort, VariablePlace) else len(part.sort)

    def _combinations(self, template: TermTemplate | None, parts: tuple[TermClass, ...]) -> int:
        totals = [self._total(part) for part in parts]
        if template is not None and template.commutes and parts[-1] == parts[-2]:
            return prod(totals[:-2]) * (totals[-1] * (totals[-1] + 1) // 2)
        return prod(totals)

    def _term(self, part: TermClass, number: int) -> list[str | _OpenPlace]:
        """The term with this number in its class, with places for variables left open."""
        out: list[str | _OpenPlace] = []
        todo: list[str | tuple[TermClass, int]] = [(part, number)]
        while todo:
            item = todo.pop()
            if isinstance(item, str):
                out.append(item)
                continue
            part, number = item
            if isinstance(part.sort, VariablePlace):
                out.append(_OpenPlace(part.sort.sort))
            elif not isinstance(part.sort, Sort):
                out.append(part.sort[number])
            else:
                cells = self._cells[part]
                cell = cells[bisect_right(cells, number, key=lambda c: c.before) - 1]
                todo += self._pieces(cell, number - cell.before)
        return out

    def _pieces(self, cell: _Cell, number: int) -> list[str | tuple[TermClass, int]]:
        """The pieces of a term of the cell, the last one first."""
        template, parts = cell.template, cell.parts
        if template is None:
            return [(parts[0], number)]
        numbers = _split(number, [self._total(part) for part in parts], tied=_tied(template, parts))
        requests = iter(zip(parts, numbers, strict=True))
        return [p if isinstance(p, str) else next(requests) for p in template.pieces][::-1]

    def _filled(
        self, pieces: list[str | _OpenPlace], places: OpenPlaces, filling: int
    ) -> tuple[str, dict[str, Sort]]:
        names: dict[Sort, Iterator[int]] = {}
        for sort, count in zip(self.sorts, places, strict=True):
            ways = _ways(count, 0, self.variables)
            names[sort] = iter(_growing(filling % ways, count, self.variables))
            filling //= ways
        prefixes = self.grammar.prefixes
        used: dict[str, Sort] = {}
        out = []
        for piece in pieces:
            if isinstance(piece, _OpenPlace):
                name = f"{prefixes[piece.sort]}{next(names[piece.sort])}"
                used[name] = piece.sort
                out.append(name)
            else:
                out.append(piece)
        return "".join(out), used


def _tied(template: TermTemplate, parts: tuple[TermClass, ...]) -> bool:
    """Whether the last two arguments commute and are from one class, so that their order does not matter."""
    return template.commutes and parts[-1] == parts[-2]


def _split(number: int, totals: list[int], *, tied: bool) -> list[int]:
    """The numbers of the arguments in their classes, from the number of a term."""
    numbers = []
    if tied:
        pairs = totals[-1] * (totals[-1] + 1) // 2
        number, pair = divmod(number, pairs)
        larger = (isqrt(8 * pair + 1) - 1) // 2
        numbers = [larger, pair - larger * (larger + 1) // 2]
        totals = totals[:-2]
    for total in reversed(totals):
        number, own = divmod(number, total)
        numbers.append(own)
    return numbers[::-1]


@lru_cache(maxsize=4096)
def _ways(left: int, used: int, most: int) -> int:
    """The number of fillings of `left` places if `used` names are in use: each gets an old name, or the
    next new one.
    """
    if left == 0:
        return 1
    new = _ways(left - 1, used + 1, most) if used < most else 0
    return used * _ways(left - 1, used, most) + new


def _growing(number: int, count: int, most: int) -> list[int]:
    """The filling with this number: for each place the number of its name."""
    out = []
    used = 0
    for left in range(count - 1, -1, -1):
        old = _ways(left, used, most)
        name, number = divmod(number, old) if used and number < used * old else (used, number - used * old)
        used += name == used
        out.append(name)
    return out
