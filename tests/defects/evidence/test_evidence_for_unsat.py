"""Evidence for unsat: who has to answer unsat besides those that contradict themselves, and its words."""

from __future__ import annotations

import pytest
from tests.defects.test_judge import STRANGE, X_IS_3, MixedLab, Says, judged, kinds
from tests.defects.test_judge_branches import solver

from falsum.defects.evidence.assessment import evidence_for_verdict
from falsum.defects.evidence.evidence_session import open_sessions
from falsum.smtlib.verdict import Verdict

CONFIRMING = {
    "b": solver("unsat", core="(falsum!1)", on_core="unsat"),
    "c": solver("unsat", on_core="unsat"),
}


def test_a_confirmed_core_says_who_decides() -> None:
    words = "These assertions alone are unsat according to b, c: 2 independent products, and every solver"
    lab = MixedLab(None, a=solver("sat"), **CONFIRMING)
    assert judged(STRANGE, lab).evidence[0].text == f"{words} that decides apart from the suspect."
    (session,) = open_sessions(STRANGE, ("b", "c"), lab)
    (found,) = evidence_for_verdict(session, Verdict.UNSAT)
    assert found.text == f"{words} that decides."


REFUSES_ITSELF = solver("sat", X_IS_3, with_model="unsat")


@pytest.mark.parametrize(
    ("older", "suspects"),
    [
        ({"z3_4": solver("unsat")}, ()),
        ({"z3_4": solver("unsat"), "z3_5": solver("unsat")}, ("z3",)),
        ({"z3_4": solver("unsat"), "z3_5": solver("unknown")}, ()),
    ],
)
def test_two_older_releases_are_enough_against_a_solver_that_contradicts_itself(
    older: dict[str, Says], suspects: tuple[str, ...]
) -> None:
    judgement = judged(STRANGE, MixedLab(None, z3=REFUSES_ITSELF, **older))
    assert judgement.suspects == suspects
    assert not suspects or kinds(judgement)[0] == "own model"


def test_one_older_release_is_no_majority_against_the_newest_nor_is_the_newest() -> None:
    for old, new in (("sat", "unsat"), ("unsat", "sat")):
        assert judged(STRANGE, MixedLab(None, z3_4=solver(old), z3=solver(new))).suspects == ()
