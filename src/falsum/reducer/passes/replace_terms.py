"""Replaces terms by values, by one of their subterms, or by variables."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Edit, Hoist, ReplaceTerm
from falsum.reducer.measure import DECLARATION, NAME, Measurer
from falsum.reducer.outline import Outline
from falsum.reducer.passes.protocol import rank_by_size
from falsum.reducer.simple_terms import SimpleTerms
from falsum.smtlib.sorts import BOOL, Sort
from falsum.smtlib.terms import Term, Var, constant

# How many enclosing binders are searched for a variable.
_MAX_FRAMES = 4
# The rank of a second value for a place: after all first ones.
_LATE_RANK = 1


class ReplaceByValue:
    """`(assert (< (+ x y) z))` → `(assert (< 0 z))`; `weaken` and `strengthen` do the same for Booleans."""

    name = "replace-by-value"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        simple_terms, measurer = SimpleTerms(outline), Measurer()
        for place, term in outline.terms():
            if term.sort is BOOL or outline.is_value(place):
                continue
            for number, new in enumerate(simple_terms.values(term.sort)):
                if number and outline.sizes[place] > 1:
                    break
                if measurer.term_weight(new) < outline.weights[place]:
                    yield ReplaceTerm(
                        place, new, rank=_LATE_RANK if number else rank_by_size(outline.sizes[place])
                    )


class ReplaceByChild:
    """`(assert (not (= (ite p x y) z)))` → `(assert (= (ite p x y) z))` → `(assert p)`.

    A term is replaced by the nearest subterm of its sort. Variables bound in between become simple terms:
    `(exists ((x Int)) (< x y))` → `(< 0 y)`.
    """

    name = "replace-by-child"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        simple_terms = SimpleTerms(outline)
        for place, inner in _nearest_of_same_sort(outline):
            if outline.is_value(inner):
                continue
            by = _substitution(outline, simple_terms, place, inner)
            if by is not None:
                yield Hoist(place, inner, by, rank_by_size(outline.sizes[place] - outline.sizes[inner]))


def _nearest_of_same_sort(outline: Outline) -> Iterator[tuple[int, int]]:
    """Pairs of a place and one inside it, both of one sort, with no other place of that sort in between."""
    open_places: list[tuple[int, Sort]] = []
    by_sort: dict[Sort, list[int]] = {}
    distances: list[tuple[int, int]] = []
    for place, term in outline.terms():
        while open_places and outline.end(open_places[-1][0]) <= place:
            by_sort[open_places.pop()[1]].pop()
        above = by_sort.setdefault(term.sort, [])
        if above:
            distances.append((above[-1], place))
        above.append(place)
        open_places.append((place, term.sort))
    # By outer place; then the largest inner one first, which changes the least.
    return iter(sorted(distances, key=lambda pair: (pair[0], -outline.sizes[pair[1]], pair[1])))


def _substitution(
    outline: Outline, simple_terms: SimpleTerms, place: int, inner: int
) -> tuple[tuple[Var, Term], ...] | None:
    """Terms for the variables bound between two places; None if there is none for some variable."""
    if outline.frames[place] == outline.frames[inner]:
        return ()
    between = outline.binders_between(place, inner)
    by = []
    for variable in sorted(outline.free[outline.term(inner)], key=lambda v: v.name):
        if between.get(variable.name) is variable:
            term = simple_terms.leaf(variable.sort, place)
            if term is None:
                return None
            by.append((variable, term))
    return tuple(by)


class ReplaceByVariable:
    """`(assert (= (f x) (+ y 1)))` → `(assert (= y (+ y 1)))`.

    The variable is one bound around the place, a constant of the script or, for a large term, a new constant.
    """

    name = "replace-by-variable"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        simple_terms = SimpleTerms(outline)
        for place, term in outline.terms():
            if outline.is_leaf(place):
                continue
            rank = rank_by_size(outline.sizes[place])
            old = next(_variables(outline, simple_terms, place, term.sort), None)
            if old is not None and outline.weights[place] > NAME:
                yield ReplaceTerm(place, old, rank=rank)
            if outline.weights[place] > 2 * (NAME + DECLARATION + term.sort.size):
                function = simple_terms.fresh(term.sort)
                yield ReplaceTerm(place, constant(function), (function,), rank)


def _variables(outline: Outline, simple_terms: SimpleTerms, place: int, sort: Sort) -> Iterator[Term]:
    for variable in outline.variables(place, _MAX_FRAMES):
        if variable.sort is sort:
            yield variable
    yield from simple_terms.constants(sort, place)
