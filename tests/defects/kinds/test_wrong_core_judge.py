"""Unsat cores: what shows that one is wrong, and what is not enough."""

from __future__ import annotations

import pytest
from tests.defects.kinds.asked import judged
from tests.defects.test_judge import Says, said

from falsum.defects.evidence.judgement import Defect
from falsum.solvers.answer import Answer
from falsum.solvers.request import Want

TWO = "(declare-const a Bool)(declare-const b Bool)(assert a)(assert (not a))(assert b)(check-sat)"
A_AND_B = "((define-fun a () Bool true) (define-fun b () Bool true))"
NEITHER = A_AND_B.replace("true", "false")


def naming(core: str, on_core: Answer) -> Says:
    """Answers unsat to everything, names a core, and answers what is in the core."""

    def says(script: str, want: Want) -> Answer:
        if script.count("(assert") < 3:
            return on_core
        return said("unsat", core=core if want is Want.CORE else None)

    return says


@pytest.mark.parametrize(
    ("core", "own", "other", "evidence"),
    [
        ("(falsum!1 falsum!3)", said("sat", model=A_AND_B), said("unsat"), "model"),
        ("(falsum!1 falsum!3)", said("sat"), said("sat", model=A_AND_B), "model"),
        ("(falsum!1 falsum!3)", said("sat"), said("unknown"), "own verdict"),
        ("(falsum!1 falsum!3)", said("sat"), said("unsat"), ""),
        ("(falsum!1 falsum!3)", said("unknown"), said("sat"), ""),
        ("(falsum!1 falsum!3)", said("sat", model=NEITHER), said("unsat"), ""),
        ("(falsum!1 falsum!3)", said("unsat"), said("unsat", model=A_AND_B), ""),
        # All of the assertions, and none of them, are not judged.
        ("(falsum!1 falsum!2 falsum!3)", said("sat", model=A_AND_B), said("sat"), ""),
        ("()", said("sat", model=A_AND_B), said("sat"), ""),
    ],
)
def test_a_core_is_wrong_by_a_model_or_by_its_own_solver(
    core: str, own: Answer, other: Answer, evidence: str
) -> None:
    judgement = judged(TWO, Defect.WRONG_CORE, s=naming(core, own), other=naming("()", other))
    if not evidence:
        assert (judgement.defect, judgement.suspects) == (Defect.UNDECIDED, ())
        return
    assert (judgement.defect, judgement.suspects) == (Defect.WRONG_CORE, ("s",))
    assert [each.kind for each in judgement.evidence] == [evidence]
    assert "(not a)" not in judgement.evidence[0].details
    assert ("answers sat itself" in judgement.evidence[0].text) is (evidence == "own verdict")
    another = judged(TWO, Defect.INVALID_MODEL, s=naming(core, own), other=naming("()", other))
    assert (another.defect, another.suspects) == (Defect.UNDECIDED, ())


def test_a_model_of_the_core_that_holds_for_every_choice_counts_at_an_open_point() -> None:
    text = TWO.replace("(assert b)", "(assert (= (div 1 0) 7))")

    def says(script: str, want: Want) -> Answer:
        if "declare-const a" not in script:
            return said("unsat")  # to what it may choose
        return said("unknown") if script.count("(assert") < 3 else said("unsat", core="(falsum!1)")

    def other(script: str, _want: Want) -> Answer:
        return said("unsat") if script.count("(assert") == 3 else said("sat", model=A_AND_B)

    judgement = judged(text, Defect.WRONG_CORE, s=says, other=other)
    assert (judgement.defect, judgement.suspects) == (Defect.WRONG_CORE, ("s",))


def test_a_core_of_who_does_not_answer_unsat_is_none() -> None:
    def says(script: str, _want: Want) -> Answer:
        return (
            said("sat", model=A_AND_B) if script.count("(assert") < 3 else said("unknown", core="(falsum!1)")
        )

    assert judged(TWO, Defect.WRONG_CORE, s=says).defect == Defect.UNDECIDED
    assert judged("(frob)" + TWO, Defect.WRONG_CORE, s=naming("(falsum!1)", said("sat"))).suspects == ()
