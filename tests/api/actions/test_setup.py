"""The logic of a run: spelled by its theories where that is a name all solvers know."""

from __future__ import annotations

import pytest

from falsum.api.actions.setup import logic_of_run
from falsum.api.model.capabilities import Capabilities
from falsum.api.model.mirror import Mirror
from falsum.api.model.settings import Bounds


@pytest.mark.parametrize(
    ("theories", "is_linear", "logic"),
    [
        ("core bitvectors", False, "QF_BV"),
        ("core arrays quantifiers", False, "AX"),
        ("core uf ints", False, "QF_UFNIA"),
        ("core uf ints", True, "QF_UFLIA"),
        ("core ints reals quantifiers", True, "LIRA"),
        ("core strings", False, "QF_SNIA"),
        ("core strings", True, "QF_SLIA"),
        ("core arrays datatypes reals", False, "QF_ADTNRA"),
        ("core floats bitvectors uf", False, "QF_UFBVFP"),
        ("core sequences ints", False, "ALL"),
        ("core sets uf", False, "ALL"),
        ("core", False, "ALL"),
    ],
)
def test_logics_are_composed(theories: str, logic: str, *, is_linear: bool) -> None:
    mirror = Mirror(Capabilities("z3"), Bounds(), tuple(theories.split()), is_linear=is_linear)
    assert logic_of_run(mirror) == logic
