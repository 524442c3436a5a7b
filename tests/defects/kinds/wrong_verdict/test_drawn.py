"""A wrong unsat is shown by a model drawn at random; no other solver is needed."""

from __future__ import annotations

import pytest
from tests.defects import liars

from falsum.defects import oracle_named
from falsum.defects.evidence.drawn_model import drawn_model
from falsum.defects.judge import judge
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer

UNSAT = Answer((Verdict.UNSAT,), FINISHED)
ARRAYS = (
    "(declare-const x (_ BitVec 2))(declare-const y (_ BitVec 2))(assert (distinct x y))"
    "(assert (= (store (store ((as const (Array Bool (_ BitVec 2))) x) true y) false y)"
    " ((as const (Array Bool (_ BitVec 2))) y)))(check-sat)"
)


def test_one_solver_alone_is_found_and_judged() -> None:
    case, lab = liars.case_of(ARRAYS), liars.lab_of(liar=liars.says(UNSAT))
    finding = oracle_named("drawn").find(case, lab)
    assert finding is not None
    assert finding.suspects == ("liar",)
    claim = finding.case.mutant.claim
    judgement = judge(case.text, ("liar",), lab.solvers, lab, claim=claim)
    assert (judgement.defect, judgement.suspects) == ("refutation unsoundness", ("liar",))
    assert judgement.evidence[0].kind == "witness"


@pytest.mark.parametrize(
    "script",
    [
        liars.IMPOSSIBLE,  # unsat is right
        "(declare-const x Int)(assert (= (div x 0) 1))(check-sat)",  # not in all models of `div`
        "(declare-const x Int)(assert (= x 12345678))(check-sat)",  # sat, but nobody draws that
        "(declare-const x Int)(assert (> x 0))(check-sat)(frobnicate)",  # not understood
    ],
)
def test_silent_where_nothing_is_shown(script: str) -> None:
    assert oracle_named("drawn").find(liars.case_of(script), liars.lab_of(liar=liars.says(UNSAT))) is None


def test_a_large_script_is_left_alone_and_a_small_one_is_not() -> None:
    small = "(declare-const x Int)(assert (> (+ x 1) x))(check-sat)"
    sums = "".join(f"(assert (> (+ x {n}) (- x {n})))" for n in range(1, 90))
    assert drawn_model(liars.case_of(small).checks[0])
    assert not drawn_model(liars.case_of(f"(declare-const x Int){sums}(check-sat)").checks[0])
