"""Replaces Boolean terms by `true` or `false` so that the script becomes weaker, or stronger.

A script that must stay satisfiable survives weakening, one that must stay unsatisfiable strengthening. The
engine finds out which of the two passes helps and runs that one first.
"""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Edit, Omit, ReplaceTerm
from falsum.reducer.outline import Outline
from falsum.reducer.passes.protocol import rank_by_size
from falsum.reducer.simple_terms import operator_name
from falsum.smtlib.occurrences import Occurrence, Polarity
from falsum.smtlib.scripts import Assert, CheckSatAssuming
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.terms import Term
from falsum.smtlib.theories.core import FALSE, TRUE


class Weaken:
    """`(assert (or p (not (and q r))))` → `(assert (or p (not q)))` or `(assert (or p true))`."""

    name = "weaken"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        return _edits(outline, weaker=True)


class Strengthen:
    """`(assert (or p q))` → `(assert p)`; `(assert (= p q))` → `(assert (= p false))`."""

    name = "strengthen"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        return _edits(outline, weaker=False)


def _edits(outline: Outline, *, weaker: bool) -> Iterator[Edit]:
    polarities = _polarities(outline)
    for place, term in outline.terms():
        if term.sort is not BOOL or outline.is_value(place):
            continue
        parent = outline.parents[place]
        above = outline.nodes[parent]
        word = (polarities[place] is not Polarity.NEGATIVE) is weaker
        rank = rank_by_size(outline.sizes[place])
        if outline.parents[parent] < 0:
            if isinstance(above, CheckSatAssuming):
                yield Omit(place, rank)
            elif not (isinstance(above, Assert) and word):  # `drop-assertions` drops `(assert true)`
                yield ReplaceTerm(place, _written(word), rank=rank)
            continue
        operator = operator_name(outline.term(parent))
        if operator in ("and", "or") and word is (operator == "and"):
            yield Omit(place, rank)
        elif operator != "not" and not (operator in ("and", "or") and outline.sizes[parent] > 3):
            # `true` in an `or` makes the whole `or` true, which is proposed for the `or` itself.
            yield ReplaceTerm(place, _written(word), rank=rank)


def _written(word: bool) -> Term:
    return TRUE if word else FALSE


def _polarities(outline: Outline) -> list[Polarity]:
    """For every place, the effect on the script of weakening the term there."""
    polarities: list[Polarity] = []
    for place, node in enumerate(outline.nodes):
        parent = outline.parents[place]
        if parent < 0:
            known = isinstance(node, Assert | CheckSatAssuming)
            polarities.append(Polarity.POSITIVE if known else Polarity.BOTH)
        elif outline.parents[parent] < 0:
            polarities.append(polarities[parent])
        else:
            above = Occurrence(outline.term(parent))
            step = Occurrence(outline.term(place), above, outline.slots[place]).polarity
            polarities.append(Polarity(step.value * polarities[parent].value))
    return polarities
