"""Replaces a sort by a smaller one in the whole script: bit-widths, float formats, declared sorts, reals."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Edit, ReplaceScript
from falsum.reducer.measure import Measurer
from falsum.reducer.outline import Outline
from falsum.smtlib.logic_coverage import keeps_to_logic
from falsum.smtlib.maps.other_sorts import OtherSorts, sorts_of
from falsum.smtlib.models.model import bare_model
from falsum.smtlib.sort_kinds import SortKind
from falsum.smtlib.sorts import Sort
from falsum.smtlib.theories import SORTS, kind_of
from falsum.smtlib.theories.declared import DECLARED


class ShrinkSorts:
    """`(declare-fun x () (_ BitVec 32)) (assert (= x #x00000001))`
    → `(declare-fun x () (_ BitVec 1)) (assert (= x #b1))`.

    All widths in proportion, one width or format at a time, a declared sort by `Int`, `Real` by `Int`.
    """

    name = "shrink-sorts"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        measurer = Measurer()
        now = measurer.measure(outline.script)
        was_legal = keeps_to_logic(outline.script)
        for rank, change in enumerate(_changes(outline)):
            script = OtherSorts(change).script(outline.script)
            if script is not None and was_legal and not keeps_to_logic(script):
                continue
            if (
                script is not None
                and measurer.weight(script) <= now.weight
                and measurer.measure(script) < now
            ):
                yield ReplaceScript(script, rank)


def _changes(outline: Outline) -> Iterator[dict[Sort, Sort]]:
    """The changes proposed by the kinds of the script's sorts, kind by kind."""
    datatypes = bare_model(outline.script).datatypes
    by_kind: dict[SortKind, list[Sort]] = {kind: [] for kind in (*SORTS.values(), DECLARED)}
    for sort in sorts_of(outline.script):
        by_kind.setdefault(kind_of(sort, datatypes), []).append(sort)
    for kind, sorts in by_kind.items():
        if sorts and kind.smaller_sorts is not None:
            yield from kind.smaller_sorts(sorts)
