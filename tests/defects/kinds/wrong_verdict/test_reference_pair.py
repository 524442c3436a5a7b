"""Of two scripts with the same verdict, the one that is wrongly called unsat is found by a model."""

from __future__ import annotations

import pytest
from tests.campaign.places import HONEST, SEED, liar
from tests.labs import live_lab

from falsum.defects.kinds.wrong_verdict.reference_pair import refuted_script

LIAR = liar("verdict")
MUTANT = SEED.replace("5", "(- (abs 7) 2)")


@pytest.mark.parametrize(("script", "reference"), [(MUTANT, SEED), (SEED, MUTANT)])
def test_the_wrong_one_is_found(script: str, reference: str) -> None:
    with live_lab(LIAR, seconds=10) as lab:
        found = refuted_script(script, reference, (LIAR,), lab)
    assert found is not None
    assert found.script == MUTANT
    assert "(define-fun x () Int 7)" in found.witness


def test_an_honest_solver_is_wrong_about_neither() -> None:
    with live_lab(HONEST, seconds=10) as lab:
        assert refuted_script(MUTANT, SEED, (HONEST,), lab) is None
