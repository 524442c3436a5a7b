"""What `replay.sh` looks for, for every kind of answer."""

from __future__ import annotations

import pytest

from falsum.defects.targets import recognition
from falsum.defects.targets.recognition import Sign, SignKind
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind


def crash(cause: Cause, detail: str) -> Answer:
    return Answer((Verdict.SAT,), Ending(EndingKind.CRASHED, cause, detail))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (crash(Cause.ASSERTION, "n > 0 failed"), Sign(SignKind.TEXT, "n > 0 failed")),
        (crash(Cause.ASSERTION, ""), Sign(SignKind.FAILURE)),
        (crash(Cause.ASSERTION, "n > 0\nfailed"), Sign(SignKind.FAILURE)),
        (crash(Cause.ASSERTION, "n > 0\x1b failed"), Sign(SignKind.FAILURE)),
        # The name of a signal is not printed, and says nothing of the place.
        (crash(Cause.SIGNAL, "SIGSEGV"), Sign(SignKind.SIGNAL)),
        (Answer((Verdict.SAT, Verdict.UNSAT), FINISHED), Sign(SignKind.VERDICTS, "sat unsat")),
        (Answer((Verdict.SAT,), Ending(EndingKind.TIMED_OUT)), Sign(SignKind.VERDICTS, "sat")),
        (Answer((), FINISHED), Sign(SignKind.VERDICTS)),
    ],
)
def test_an_answer_is_recognised_by(answer: Answer, expected: Sign) -> None:
    assert recognition.of_answer(answer) == expected


def test_checks_are_counted_from_one_in_the_shell() -> None:
    """And only those that are printed: a check without an answer prints nothing."""
    three = Answer((Verdict.SAT, Verdict.MISSING, Verdict.UNSAT), FINISHED)
    assert recognition.of_verdict(three, 0, "sat") == Sign(SignKind.CHECK, "1 sat")
    assert recognition.of_verdict(three, 2, "unsat") == Sign(SignKind.CHECK, "2 unsat")


def test_white_space_in_a_text_does_not_matter() -> None:
    assert recognition.of_text(" (a\n  b)\t") == Sign(SignKind.SPACED, "(a b)")
