"""Replaces terms by values, by one of their parts, by variables."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Edit, Hoist, Replace
from falsum.reducer.measure import DECLARATION, NAME, Scales
from falsum.reducer.outline import Outline
from falsum.reducer.passes.protocol import boldness
from falsum.reducer.simple_terms import StandIns
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.terms import Term, Var, constant

_MOST_FRAMES = 4
_LATE = 1


class ReplaceByValue:
    """`(assert (< (+ x y) z))` → `(assert (< 0 z))`; Booleans have passes of their own."""

    name = "replace-by-value"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        stand_ins, scales = StandIns(outline), Scales()
        for place, term in outline.terms():
            if term.sort is BOOL or outline.is_value(place):
                continue
            for number, new in enumerate(stand_ins.values(term.sort)):
                if number and outline.sizes[place] > 1:
                    break
                if scales.term_weight(new) < outline.weights[place]:
                    yield Replace(place, new, rank=_LATE if number else boldness(outline.sizes[place]))


class ReplaceByChild:
    """`(assert (not (= (ite p x y) z)))` → `(assert (= (ite p x y) z))` → `(assert p)`.

    A term becomes the nearest terms of its sort inside it. Variables bound in between become simple values:
    `(exists ((x Int)) (< x y))` → `(< 0 y)`.
    """

    name = "replace-by-child"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        stand_ins = StandIns(outline)
        for place, inner in _nearest_of_same_sort(outline):
            if outline.is_value(inner):
                continue
            by = _outside(outline, stand_ins, place, inner)
            if by is not None:
                yield Hoist(place, inner, by, boldness(outline.sizes[place] - outline.sizes[inner]))


def _nearest_of_same_sort(outline: Outline) -> Iterator[tuple[int, int]]:
    """Pairs of a place and one inside it of the same sort with no other such place between them."""
    open_places: list[tuple[int, Sort]] = []
    by_sort: dict[Sort, list[int]] = {}
    found: list[tuple[int, int]] = []
    for place, term in outline.terms():
        while open_places and outline.end(open_places[-1][0]) <= place:
            by_sort[open_places.pop()[1]].pop()
        above = by_sort.setdefault(term.sort, [])
        if above:
            found.append((above[-1], place))
        above.append(place)
        open_places.append((place, term.sort))
    # By place; of several inside one the largest first, which changes the least.
    return iter(sorted(found, key=lambda pair: (pair[0], -outline.sizes[pair[1]], pair[1])))


def _outside(
    outline: Outline, stand_ins: StandIns, place: int, inner: int
) -> tuple[tuple[Var, Term], ...] | None:
    """What becomes of the variables bound between two places; None if there is nothing for one of them."""
    if outline.frames[place] == outline.frames[inner]:
        return ()
    between = outline.binders_between(place, inner)
    by = []
    for variable in sorted(outline.free[outline.term(inner)], key=lambda v: v.name):
        if between.get(variable.name) is variable:
            term = stand_ins.light(variable.sort, place)
            if term is None:
                return None
            by.append((variable, term))
    return tuple(by)


class ReplaceByVariable:
    """`(assert (= (f x) (+ y 1)))` → `(assert (= y (+ y 1)))`.

    A variable bound around the place, a constant of the script, or, for a large term, a new constant.
    """

    name = "replace-by-variable"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        stand_ins = StandIns(outline)
        for place, term in outline.terms():
            if outline.is_leaf(place):
                continue
            rank = boldness(outline.sizes[place])
            old = next(_variables(outline, stand_ins, place, term.sort), None)
            if old is not None and outline.weights[place] > NAME:
                yield Replace(place, old, rank=rank)
            if outline.weights[place] > 2 * (NAME + DECLARATION + term.sort.size):
                function = stand_ins.fresh(term.sort)
                yield Replace(place, constant(function), (function,), rank)


def _variables(outline: Outline, stand_ins: StandIns, place: int, sort: Sort) -> Iterator[Term]:
    for variable in outline.variables(place, _MOST_FRAMES):
        if variable.sort is sort:
            yield variable
    yield from stand_ins.constants(sort, place)
