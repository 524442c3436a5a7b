"""Mutants of Horn clauses have to be Horn clauses; of other seeds they may be anything."""

from __future__ import annotations

import pytest

from falsum.strategies import Seed
from falsum.strategies.seeds import leaves_horn

HORN = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (> x 0) (p x))))(check-sat)"
LINEAR = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 0))(check-sat)"


@pytest.mark.parametrize(
    ("mutant", "seeds", "leaves"),
    [
        (HORN, [HORN], False),
        (HORN.replace("> x 0", "> x 1"), [HORN, HORN], False),
        (HORN.replace("(=> (> x 0) (p x))", "(or (p 1) (p x))"), [HORN], True),
        (HORN.replace("HORN", "ALL"), [HORN], True),
        (HORN + "(", [HORN], True),
        (LINEAR, [LINEAR], False),
        (LINEAR, [HORN, LINEAR], False),
        (LINEAR, [], False),
        (LINEAR.replace("QF_LIA", "HORN"), [LINEAR], False),
    ],
)
def test_what_leaves(mutant: str, seeds: list[str], leaves: bool) -> None:
    assert leaves_horn(mutant, [Seed(str(number), text) for number, text in enumerate(seeds)]) is leaves
