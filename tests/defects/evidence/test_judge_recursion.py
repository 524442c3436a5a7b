"""The judge on recursive definitions: that a function exists is part of the question."""

from __future__ import annotations

import pytest
from tests.defects import liars

from falsum.defects.evidence.judgement import Defect
from falsum.defects.judge import judge
from falsum.defects.kinds.wrong_verdict.claim import ClaimOracle
from falsum.smtlib.verdict import Verdict

TEXT = "(set-logic ALL)(define-fun-rec f ((x Int)) Int {})(declare-const y Int)(assert {})(check-sat)"
MODEL = "((define-fun y () Int 0))"
NO_FIXED_POINT = [
    ("(+ (f x) 1)", "(= y 0)"),
    ("(+ (f x) 1)", "(= (f y) 0)"),
    ("(ite (> x 5) (+ (f x) 1) 0)", "(= (f y) 0)"),
    ("(ite (= x 0) 0 (+ 1 (f (- x 1))))", "(= (f y) 0)"),
]


@pytest.mark.parametrize(("body", "assertion"), NO_FIXED_POINT)
def test_unsat_may_be_right_where_recursion_may_not_end(body: str, assertion: str) -> None:
    """By a model, a claim, or the verdicts of most: nothing counts against who answers unsat."""
    text = TEXT.format(body, assertion)
    case = liars.case_of(text, claim=Verdict.SAT, witness=MODEL)
    lab = liars.lab_of(a=liars.says(liars.sat(MODEL)), b=liars.says(liars.sat(MODEL)), c=liars.says("unsat"))
    for claim in (None, case.mutant.claim):
        judgement = judge(text, (), lab.solvers, lab, claim=claim)
        assert (judgement.defect, judgement.suspects) == (Defect.UNDECIDED, ())
        assert "may have no solution" in judgement.evidence[0].text
    assert ClaimOracle().find(case, lab) is None


def test_recursion_that_ends_is_no_excuse() -> None:
    text = TEXT.format("(ite (<= x 0) 0 (+ 1 (f (- x 1))))", "(= (f y) 0)")
    case = liars.case_of(text, claim=Verdict.SAT, witness=MODEL)
    lab = liars.lab_of(a=liars.says(liars.sat(MODEL)), c=liars.says("unsat"))
    judgement = judge(text, (), lab.solvers, lab)
    assert (judgement.defect, judgement.suspects) == (Defect.REFUTATION_UNSOUNDNESS, ("c",))
    assert ClaimOracle().find(case, lab) is not None
