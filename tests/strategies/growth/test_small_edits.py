"""Small edits of a script: well-sorted, in other places each time, and told in lines."""

from __future__ import annotations

from random import Random

from falsum.smtlib import read_script
from falsum.strategies.growth import SmallEdits

TEXT = """(set-logic QF_LIA)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (< (+ x 1) y))
(assert (or (= x 3) (> y 10)))
(check-sat)
"""


def test_edits_are_well_sorted_and_told() -> None:
    edits = SmallEdits.of(read_script(TEXT))
    rng = Random(1)
    texts = set()
    counts = set()
    for _ in range(60):
        changed = edits.changed(2, rng)
        if changed is None:
            continue
        text, lines = changed
        assert read_script(text).assertions
        assert text != TEXT
        texts.add(text)
        counts.add(len(lines))
        assert all(" -> " in line and line.split(":")[0].isdigit() for line in lines)
    assert len(texts) > 40
    assert counts == {1, 2}


def test_a_script_with_nothing_to_edit_has_no_change() -> None:
    assert SmallEdits.of(read_script("(set-logic QF_UF)(check-sat)")).changed(2, Random(1)) is None
