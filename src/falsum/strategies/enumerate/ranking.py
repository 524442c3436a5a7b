"""Counting: how many formulas a grammar has of each size, and which one a number stands for.

Terms are counted without the names of their variables: places for variables are left open, and counted apart
by sort. A filling then gives the open places names in the order they first occur, so formulas that differ in
names only are counted once. Of two arguments that may be swapped the smaller stands first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import isqrt, prod
from typing import Final, NamedTuple

from falsum.smtlib.sorts import BOOL, REGLAN, Sort
from falsum.strategies.growth import Constants, Grammar, TermTemplate, VariablePlace

# Sorts whose values are written as constants.
_WITH_LITERALS: Final = frozenset(
    ["Bool", "Int", "Real", "BitVec", "FloatingPoint", "String", "RoundingMode"]
)
# Open places by sort, in the order of the space's sorts.
Open = tuple[int, ...]


class Part(NamedTuple):
    """All terms of a sort, a size and a number of open places; or some constants, or a variable."""

    sort: Sort | Constants | VariablePlace
    size: int
    open: Open


class _Cell(NamedTuple):
    """Terms made from one template with arguments of given parts; none for leaves.

    `before` are the terms of the cells in front of it.
    """

    before: int
    template: TermTemplate | None
    parts: tuple[Part, ...]


class _Hole(NamedTuple):
    """A place for a variable."""

    sort: Sort


class Space:
    """The formulas of a grammar with at most `variables` variables and `constants` constants of a sort.

    Unless `ground`, an operator is not applied to constants alone where the result is a constant again.
    """

    def __init__(self, grammar: Grammar, variables: int, constants: int, *, ground: bool = False) -> None:
        self._ground = ground
        self.grammar = grammar
        self.variables = variables
        self.sorts = (BOOL, *grammar.theme.sorts)
        self._none: Open = (0,) * len(self.sorts)
        # A formula with `true` or `false` in it is another, smaller one.
        self._constants = {s: () if s is BOOL else t[:constants] for s, t in grammar.constants.items()}
        self._shown = constants
        self._cells: dict[Part, list[_Cell]] = {}
        self._counts: dict[Part, int] = {}
        self._opens: dict[tuple[Sort, int], list[Open]] = {}
        # One object for each part, however many cells it stands in.
        self._known: dict[tuple[Sort, int], list[Part]] = {}

    def count(self, size: int) -> int:
        """How many formulas of a size there are, names told apart only where they matter."""
        return sum(self._weight(part) for part in self._formulas(size))

    def formula(self, size: int, number: int) -> tuple[str, dict[str, Sort]]:
        """The formula with a number among those of its size, and its variables."""
        for part in self._formulas(size):
            weight = self._weight(part)
            if number < weight:
                fillings = self._fillings(part.open)
                return self._filled(self._term(part, number // fillings), part.open, number % fillings)
            number -= weight
        raise IndexError(number)

    def _formulas(self, size: int) -> Iterator[Part]:
        for opened in self._opened(BOOL, size):
            yield Part(BOOL, size, opened)

    def _weight(self, part: Part) -> int:
        return self._counts[part] * self._fillings(part.open)

    def _fillings(self, opened: Open) -> int:
        return prod(_ways(count, 0, self.variables) for count in opened)

    def _opened(self, sort: Sort, size: int) -> list[Open]:
        """The numbers of open places that terms of a sort and size have; counts the terms."""
        if (sort, size) not in self._opens:
            for less in range(1, size + 1):
                for each in self.sorts:
                    if (each, less) not in self._opens:
                        self._opens[each, less] = self._counted(each, less)
        return self._opens[sort, size]

    def _counted(self, sort: Sort, size: int) -> list[Open]:
        found: dict[Open, list[_Cell]] = {}
        totals: dict[Open, int] = {}
        for template, parts in self._made(sort, size):
            opened = (
                tuple(map(sum, zip(*(part.open for part in parts), strict=True)))
                if template
                else parts[0].open
            )
            if template and not self._ground and opened == self._none and sort.name in _WITH_LITERALS:
                continue
            before = totals.get(opened, 0)
            count = self._combinations(template, parts)
            if count:
                found.setdefault(opened, []).append(_Cell(before, template, parts))
                totals[opened] = before + count
        for opened, cells in found.items():
            part = Part(sort, size, opened)
            self._cells[part] = cells
            self._counts[part] = totals[opened]
        return sorted(found)

    def _made(self, sort: Sort, size: int) -> Iterator[tuple[TermTemplate | None, tuple[Part, ...]]]:
        """Every template with every choice of parts that gives the size; leaves are parts alone."""
        if size == 1:
            if sort is not REGLAN:
                yield None, (Part(VariablePlace(sort), 1, self._one(sort)),)
            if self._constants[sort]:
                yield None, (Part(self._constants[sort], 1, self._none),)
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
    ) -> Iterator[tuple[Part, ...]]:
        """Parts for the places whose sizes add up."""
        partial: list[tuple[tuple[Part, ...], int]] = [((), size)]
        for index, place in enumerate(places):
            after = len(places) - index - 1
            grown = []
            for parts, left in partial:
                sizes = range(1, left - after + 1) if after else range(left, left + 1)
                grown += [((*parts, part), left - part.size) for n in sizes for part in self._parts(place, n)]
            partial = grown
        return (parts for parts, _ in partial)

    def _parts(self, place: Sort | Constants | VariablePlace, size: int) -> list[Part]:
        if isinstance(place, Sort):
            if (place, size) not in self._known:
                opens = self._opened(place, size) if size else []
                self._known[place, size] = [Part(place, size, opened) for opened in opens]
            return self._known[place, size]
        if size != 1:
            return []
        if isinstance(place, VariablePlace):
            return [Part(place, 1, self._one(place.sort))]
        return [Part(place[: self._shown], 1, self._none)]

    def _one(self, sort: Sort) -> Open:
        return tuple(int(each is sort) for each in self.sorts)

    def _total(self, part: Part) -> int:
        if isinstance(part.sort, Sort):
            return self._counts[part]
        return 1 if isinstance(part.sort, VariablePlace) else len(part.sort)

    def _combinations(self, template: TermTemplate | None, parts: tuple[Part, ...]) -> int:
        totals = [self._total(part) for part in parts]
        if template is not None and template.commutes and parts[-1] == parts[-2]:
            return prod(totals[:-2]) * (totals[-1] * (totals[-1] + 1) // 2)
        return prod(totals)

    def _term(self, part: Part, number: int) -> list[str | _Hole]:
        """The term with a number in its part, places for variables left open."""
        out: list[str | _Hole] = []
        todo: list[str | tuple[Part, int]] = [(part, number)]
        while todo:
            item = todo.pop()
            if isinstance(item, str):
                out.append(item)
                continue
            part, number = item
            if isinstance(part.sort, VariablePlace):
                out.append(_Hole(part.sort.sort))
            elif not isinstance(part.sort, Sort):
                out.append(part.sort[number])
            else:
                cells = self._cells[part]
                cell = cells[bisect_right(cells, number, key=lambda c: c.before) - 1]
                todo += self._pieces(cell, number - cell.before)
        return out

    def _pieces(self, cell: _Cell, number: int) -> list[str | tuple[Part, int]]:
        """What a term of the cell is made of, the last piece first."""
        template, parts = cell.template, cell.parts
        if template is None:
            return [(parts[0], number)]
        numbers = _split(number, [self._total(part) for part in parts], tied=_tied(template, parts))
        asked = iter(zip(parts, numbers, strict=True))
        return [p if isinstance(p, str) else next(asked) for p in template.pieces][::-1]

    def _filled(self, pieces: list[str | _Hole], opened: Open, filling: int) -> tuple[str, dict[str, Sort]]:
        names: dict[Sort, Iterator[int]] = {}
        for sort, count in zip(self.sorts, opened, strict=True):
            ways = _ways(count, 0, self.variables)
            names[sort] = iter(_growing(filling % ways, count, self.variables))
            filling //= ways
        prefixes = self.grammar.prefixes
        used: dict[str, Sort] = {}
        out = []
        for piece in pieces:
            if isinstance(piece, _Hole):
                name = f"{prefixes[piece.sort]}{next(names[piece.sort])}"
                used[name] = piece.sort
                out.append(name)
            else:
                out.append(piece)
        return "".join(out), used


def _tied(template: TermTemplate, parts: tuple[Part, ...]) -> bool:
    """Whether the last two arguments are an unordered pair from one part."""
    return template.commutes and parts[-1] == parts[-2]


def _split(number: int, totals: list[int], *, tied: bool) -> list[int]:
    """A number for each argument."""
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
    """Fillings of so many places when so many names are in use: an old name, or the next new one."""
    if left == 0:
        return 1
    new = _ways(left - 1, used + 1, most) if used < most else 0
    return used * _ways(left - 1, used, most) + new


def _growing(number: int, count: int, most: int) -> list[int]:
    """The filling with a number: which name each place gets."""
    out = []
    used = 0
    for left in range(count - 1, -1, -1):
        old = _ways(left, used, most)
        name, number = divmod(number, old) if used and number < used * old else (used, number - used * old)
        used += name == used
        out.append(name)
    return out
