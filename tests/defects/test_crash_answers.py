"""What counts as a crash, and who is the first to crash."""

from __future__ import annotations

import pytest
from tests.defects.liars import CRASH, REJECTED, TIMED_OUT, case_of, honest, lab_of, sat, says

from falsum.defects.crash_answers import first_crash, is_crash
from falsum.solvers.answer import Answer, Cause, Ending, EndingKind

ALARM = Answer((), Ending(EndingKind.CRASHED, Cause.SELF_CHECK, "an invalid model was generated"))


@pytest.mark.parametrize(
    ("answer", "crashes"),
    [(Answer((), CRASH), True), (ALARM, False), (TIMED_OUT, False), (REJECTED, False), (sat(), False)],
)
def test_a_crash_is_one_that_the_solver_does_not_report_itself(answer: Answer, *, crashes: bool) -> None:
    assert is_crash(answer) is crashes
    assert (first_crash(case_of(), lab_of(one=says(answer))) is not None) is crashes


def test_the_first_one_is_the_suspect() -> None:
    crashed = says(Answer((), CRASH))
    finding = first_crash(case_of(), lab_of(good=honest, bad=crashed, worse=crashed))
    assert finding is not None
    assert (finding.kind, finding.suspects) == ("crash", ("bad",))
    assert finding.evidence == f"bad {CRASH}"
