"""A solver is held to its word only for the same script with the same logic and options."""

from __future__ import annotations

import pytest
from tests.defects import liars

from falsum.defects.evidence.judgement import Defect
from falsum.defects.judge import judge
from falsum.solvers.fake_lab import Reply

LIST = "(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))(declare-const l L)(declare-const n Int)"
TEXT = f"(set-option :rewrite 2)(set-logic QF_DT){LIST}(assert (= (hd l) n))(assert (> n 3))(check-sat)"
MODEL = "((define-fun l () L nil)(define-fun n () Int 7))"
OWN = "(set-option :rewrite 2)\n(set-logic QF_DT)"


def _chooses_by_settings(script: str) -> Reply:
    """Leaves the selector open in any other logic than the script's own, where it is 0."""
    if "QF_DT" not in script or "(= (hd nil) 0)" in script:
        return liars.sat(MODEL)
    return "unsat"


def _accepts(script: str) -> Reply:
    del script
    return liars.sat(MODEL)


def test_who_chooses_otherwise_in_another_logic_contradicts_nothing() -> None:
    lab = liars.lab_of(free=_accepts, fixed=_chooses_by_settings)
    judgement = judge(TEXT, (), lab.solvers, lab)
    assert (judgement.defect, judgement.suspects) == (Defect.UNDECIDED, ())
    assert not any("own answer" in each.text for each in judgement.evidence)


@pytest.mark.parametrize(("settings", "suspects"), [(OWN, ("fixed",)), ("(set-logic ALL)", ())])
def test_who_takes_back_its_answer_is_held_to_it_with_the_same_settings(
    settings: str, suspects: tuple[str, ...]
) -> None:
    """No point is open here: the solver answers sat with the model of another, and unsat without."""
    text = (
        "(set-option :rewrite 2)(set-logic QF_DT)(declare-const x Int)"
        "(assert (forall ((y Int) (z Int)) (distinct (* z z) (+ (* y y y) x 4))))(check-sat)"
    )
    model = "((define-fun x () Int 3))"

    def inconsistent(script: str) -> Reply:
        return "sat" if script.startswith(settings) and "define-fun x" in script else "unsat"

    lab = liars.lab_of(other=liars.says(liars.sat(model)), fixed=inconsistent)
    judgement = judge(text, (), lab.solvers, lab)
    said = " ".join(each.text for each in judgement.evidence)
    assert ("contradicts its own answer" in said) is bool(suspects)
    assert judgement.suspects == suspects
