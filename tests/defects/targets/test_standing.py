"""Standings: which decide, and what an answer without the defect amounts to."""

from __future__ import annotations

import pytest

from falsum.defects.targets.standing import Standing, answer_text, cut, without_finding
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind


def test_standings_that_decide() -> None:
    assert {standing for standing in Standing if standing.decided} == {Standing.BAD, Standing.GOOD}


SAT = Answer((Verdict.SAT,), FINISHED)


@pytest.mark.parametrize(
    ("answers", "standing"),
    [
        ((SAT, SAT), Standing.GOOD),
        ((SAT,), Standing.UNKNOWN),  # what is in question was not asked
        ((), Standing.UNKNOWN),
        ((SAT, Answer((Verdict.UNKNOWN,), FINISHED)), Standing.UNKNOWN),
        ((SAT, Answer((), Ending(EndingKind.TIMED_OUT))), Standing.TIMED_OUT),
        ((SAT, Answer((), Ending(EndingKind.REJECTED))), Standing.REJECTS),
        ((SAT, Answer((), Ending(EndingKind.CRASHED, Cause.SIGNAL, "SIGSEGV"))), Standing.CRASHES),
    ],
)
def test_only_who_has_answered_all_is_good(answers: tuple[Answer, ...], standing: Standing) -> None:
    assert without_finding(answers) is standing


def test_answers_in_a_table() -> None:
    assert (
        answer_text(Answer((), Ending(EndingKind.CRASHED, Cause.ASSERTION, "Failed"))) == "assertion: Failed"
    )
    assert answer_text(SAT) == "sat"
    assert answer_text(Answer((), FINISHED)) == "nothing"
    assert (len(cut("a" * 300)), cut("a" * 160)) == (160, "a" * 160)
