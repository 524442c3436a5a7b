"""Of two scripts with the same verdict, the one that is wrongly called unsat is found by a model."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.campaign.places import HONEST, SEED, liar
from tests.campaign.triage.test_steps import job, kept, record
from tests.labs import live_lab

from falsum.campaign.triage.reference_pair import with_witness
from falsum.campaign.triage.steps import triage
from falsum.oracles.judge.judgement import Defect

LIAR = liar("verdict")
MUTANT = SEED.replace("5", "(- (abs 7) 2)")


@pytest.mark.parametrize(("script", "reference"), [(MUTANT, SEED), (SEED, MUTANT)])
def test_the_wrong_one_of_the_two_is_reported(tmp_path: Path, script: str, reference: str) -> None:
    found = record("reference", LIAR, script, reference=reference)
    made = triage(job(kept(tmp_path, found), solvers=()))
    assert made.judgement.defect is Defect.REFUTATION_UNSOUNDNESS
    assert made.judgement.suspects == (LIAR,)
    assert made.judgement.evidence[0].kind == "witness"
    assert "abs" in made.script


def test_without_a_model_nobody_knows_which_answer_is_wrong(tmp_path: Path) -> None:
    always = SEED.replace("(> (+ x 1) 5)", "(or (> x 5) (not (> x 5)))")
    wrong = always.replace("(> x 5)", "(> x (abs 5))")
    script = tmp_path / "no-models.sh"
    script.write_text('case $(cat "$1") in *abs*) echo unsat;; *) echo sat;; esac\n')
    solver = f"/bin/sh {script}"
    found = record("reference", solver, wrong, reference=always, evidence="they must agree")
    made = triage(job(kept(tmp_path / "findings", found), solvers=()))
    assert made.judgement.defect is Defect.UNDECIDED
    assert made.judgement.suspects == (solver,)
    assert made.judgement.evidence[0].text == "they must agree"


def test_claims_and_honest_solvers_change_nothing() -> None:
    found = record("reference", HONEST, MUTANT, reference=SEED)
    with live_lab(HONEST, seconds=10) as lab:
        assert with_witness(found, lab) == found
        claimed = msgspec.structs.replace(found, claim=("sat",))
        assert with_witness(claimed, lab) == claimed
