"""Sides: one seed of a pair as text, with the holes where its constants stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from falsum.smtlib import Script
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.scripts import Assert
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App, Function, Term


class Hole(NamedTuple):
    """Where a constant stands: the number of the assertion, and the part of its text."""

    assertion: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Side:
    """The assertions as text, where each constant may be replaced in them, and their sorts."""

    texts: tuple[str, ...]
    holes: Mapping[Function, Sequence[Hole]]
    sorts: frozenset[Sort]

    @classmethod
    def of(cls, terms: Sequence[Term], constants: Sequence[Function]) -> Side:
        layout = Layout.of(Script(tuple(map(Assert, terms))))
        roots = [layout.places[root] for root in layout.roots]
        known = frozenset(constants)
        holes: dict[Function, list[Hole]] = {}
        assertion, start = -1, 0
        for number, place in enumerate(layout.places):
            if place.parent < 0:
                assertion, start = assertion + 1, place.start
            term = place.term
            symbol = term.head.symbol if isinstance(term, App) and not term.args else None
            # A bound variable of the same name is another kind of term: only free occurrences are found.
            if isinstance(symbol, Function) and symbol in known and layout.is_replaceable(number):
                hole = Hole(assertion, place.start - start, place.end - start)
                holes.setdefault(symbol, []).append(hole)
        sorts = frozenset(place.term.sort for place in layout.places)
        return cls(tuple(layout.text[root.start : root.end] for root in roots), holes, sorts)

    def filled(self, by: Mapping[Hole, str]) -> list[str]:
        """The assertions with other texts in some holes."""
        out = list(self.texts)
        # From behind, so that what is in front stays where it is.
        for hole in sorted(by, reverse=True):
            text = out[hole.assertion]
            out[hole.assertion] = text[: hole.start] + by[hole] + text[hole.end :]
        return out
