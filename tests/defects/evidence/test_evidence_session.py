"""How solvers are asked about one check: after which answers another spelling is tried."""

from __future__ import annotations

import pytest
from tests.defects.test_judge import POSITIVE, MixedLab, said

from falsum.defects.evidence.evidence_session import open_sessions
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Cause, Ending, EndingKind

SPELLINGS = ("(set-logic QF_LIA)(check-sat)", "(set-logic ALL)(check-sat)")
REJECTED = Ending(EndingKind.REJECTED, Cause.UNSUPPORTED, "unsupported logic")


@pytest.mark.parametrize(
    ("first", "verdict"),
    [
        (Answer((), REJECTED), Verdict.UNSAT),
        # Who takes too long over one, or rejects only what comes after the check, is not asked again.
        (Answer((), Ending(EndingKind.TIMED_OUT)), None),
        (Answer((Verdict.SAT,), REJECTED), Verdict.SAT),
        (said(), None),
    ],
)
def test_only_who_rejects_a_spelling_is_asked_another(first: Answer, verdict: Verdict | None) -> None:
    lab = MixedLab(a=lambda script, _want: first if script == SPELLINGS[0] else said("unsat"))
    (session,) = open_sessions(POSITIVE, lab.solvers, lab)
    assert session.verdict_on("a", *SPELLINGS) is verdict
