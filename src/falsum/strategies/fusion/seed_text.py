"""SeedText: one seed of a pair as text, with the places where its constants can be replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from falsum.smtlib import Script
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.scripts import Assert
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App, Function, Term


class ConstantUse(NamedTuple):
    """Where a constant is used: the number of the assertion, and the range in its text."""

    assertion: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SeedText:
    """The assertions as texts, the replaceable uses of each constant, and the sorts of all terms."""

    texts: tuple[str, ...]
    uses: Mapping[Function, Sequence[ConstantUse]]
    sorts: frozenset[Sort]

    @classmethod
    def of(cls, terms: Sequence[Term], constants: Sequence[Function]) -> SeedText:
        layout = Layout.of(Script(tuple(map(Assert, terms))))
        roots = [layout.places[root] for root in layout.roots]
        constant_names = frozenset(constants)
        uses: dict[Function, list[ConstantUse]] = {}
        assertion, start = -1, 0
        for number, place in enumerate(layout.places):
            if place.parent < 0:
                assertion, start = assertion + 1, place.start
            term = place.term
            symbol = term.head.symbol if isinstance(term, App) and not term.args else None
            # A bound variable of the same name is a Var, not an App: only free occurrences are found.
            if isinstance(symbol, Function) and symbol in constant_names and layout.is_replaceable(number):
                use = ConstantUse(assertion, place.start - start, place.end - start)
                uses.setdefault(symbol, []).append(use)
        sorts = frozenset(place.term.sort for place in layout.places)
        return cls(tuple(layout.text[root.start : root.end] for root in roots), uses, sorts)

    def replaced(self, by: Mapping[ConstantUse, str]) -> list[str]:
        """The assertions with some uses of constants replaced."""
        out = list(self.texts)
        # The last first, so that the ranges before it stay valid.
        for use in sorted(by, reverse=True):
            text = out[use.assertion]
            out[use.assertion] = text[: use.start] + by[use] + text[use.end :]
        return out
