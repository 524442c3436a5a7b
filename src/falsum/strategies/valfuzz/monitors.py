"""Monitors: Boolean variables equal to sub-expressions of a skeleton, or to constraints on them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from falsum.smtlib.models.model import declared_functions
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.scripts import Script
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.terms import Annotated, App, Function, Head, Term, Value, Var, app, constant
from falsum.smtlib.theories import OPERATORS, kind_of
from falsum.strategies.valfuzz.holes import FreshNames, Hole

# The sorts of the paper's Table I.
_TABLE_I: Final = frozenset(["Bool", "Int", "Real", "String", "FloatingPoint"])


class Monitor(NamedTuple):
    """A Boolean variable asserted to be equal to a term (Definition III.4)."""

    function: Function
    term: Term

    @property
    def name(self) -> str:
        return self.function.name

    @property
    def variable(self) -> Term:
        return constant(self.function)


def monitors(terms: Iterable[Term], names: FreshNames) -> tuple[Monitor, ...]:
    """A monitor for every distinct term, in order."""
    return tuple(Monitor(Function(names.fresh("m"), (), BOOL), term) for term in dict.fromkeys(terms))


def boolean_places(layout: Layout, holes: Iterable[Hole], *, leaves: bool) -> list[int]:
    """The places of Boolean sub-expressions, inner ones first; with `leaves` only innermost ones (V-B)."""
    places = [n for n in compound_places(layout, holes) if layout.places[n].term.sort is BOOL]
    if leaves:
        in_order = sorted(places)
        places = [n for n in places if not _has_inside(layout, n, in_order)]
    return places


def compound_places(layout: Layout, holes: Iterable[Hole]) -> list[int]:
    """The places of sub-expressions that are neither constants nor variables, inner ones first."""
    left_out = {n for hole in holes for n in range(hole.place, hole.place + layout.places[hole.place].size)}
    patterns = _in_patterns(layout)
    places = [
        number
        for number, place in enumerate(layout.places)
        if number not in left_out and not patterns[number] and _is_compound(place.term)
    ]
    return sorted(places, key=lambda number: (number + layout.places[number].size, -number))


def _is_compound(term: Term) -> bool:
    """Whether a term is neither a leaf nor an annotation."""
    return not isinstance(term, Value | Var | Annotated) and not (isinstance(term, App) and not term.args)


def _in_patterns(layout: Layout) -> list[bool]:
    """For every place whether it is in the pattern of a quantifier."""
    out: list[bool] = []
    for place in layout.places:
        around = layout.places[place.parent].term if place.parent >= 0 else None
        inherited = place.parent >= 0 and out[place.parent]
        out.append(inherited or (isinstance(around, Annotated) and place.slot > 0))
    return out


def _has_inside(layout: Layout, number: int, numbers: list[int]) -> bool:
    """Whether one of the ordered places is inside place `number`."""
    following = bisect_right(numbers, number)
    return following < len(numbers) and numbers[following] < number + layout.places[number].size


def variables(script: Script) -> list[Term]:
    """The declared constants of a seed."""
    return [constant(function) for function in declared_functions(script) if not function.args]


def domains(term: Term, *, wide: bool) -> Iterator[Term]:
    """The abstract domains of Table I as constraints on a term; `wide` adds domains for further sorts.

    A constraint that is the negation of another is left out, since monitors are enforced both ways.
    """
    regions = kind_of(term.sort).regions
    if regions is not None and (wide or term.sort.name in _TABLE_I):
        yield from regions(term)


def relations(holes: Sequence[Hole]) -> Iterator[Term]:
    """The relations of Table III between pairs of these holes.

    Holes of sorts that are not in the table are compared for equality. `≠`, and `≥` and `≤` of a total order,
    are left out as negations of others.
    """
    for first, second in combinations(holes, 2):
        if first.sort is second.sort:
            for name in kind_of(first.sort).relations:
                yield app(Head(OPERATORS[name]), (first.variable, second.variable))
