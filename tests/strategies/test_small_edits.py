"""Small edits of a seed: well-sorted, at most as many as asked for, each named with its place."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from falsum.smtlib import read_script
from falsum.strategies.mutant import Seed
from falsum.strategies.small_edits import edited_texts

TEXT = (
    "(set-logic QF_LIA)\n(declare-fun x () Int)\n(declare-fun y () Int)\n"
    "(assert (> (+ x 12) (- y 3)))\n(check-sat)\n"
)


@pytest.mark.parametrize("most", [1, 3])
def test_each_line_names_an_edit_at_its_place(most: int) -> None:
    texts = list(islice(edited_texts(Seed("a", TEXT), Random(4), most), 60))
    assert len(texts) == 60
    for text, lines in texts:
        read_script(text)
        assert 1 <= len(lines) <= most
        before, shift = TEXT, 0
        for line in lines:
            place, _, change = line.partition(": ")
            old, _, new = change.partition(" -> ")
            start = int(place) + shift
            assert before[start:].startswith(old)
            before = f"{before[:start]}{new}{before[start + len(old) :]}"
            shift += len(new) - len(old)
        assert before == text
    assert max(len(lines) for _text, lines in texts) == most


def test_same_numbers_same_edits() -> None:
    one, other = (list(islice(edited_texts(Seed("a", TEXT), Random(9), 2), 20)) for _ in range(2))
    assert one == other


def test_where_nothing_can_be_edited_there_are_no_texts() -> None:
    assert list(edited_texts(Seed("a", "(check-sat)"), Random(1), 2)) == []
