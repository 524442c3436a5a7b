"""Wrong verdicts: which answers show one, at which check, and how it is looked for."""

from __future__ import annotations

import pytest
from tests.defects.kinds import asked
from tests.defects.kinds.asked import BAD, GOOD, REJECTED, SAT, UNKNOWN, UNSAT, crashed, verdicts

from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.kinds.wrong_verdict.wrong_verdict import WRONG_VERDICT
from falsum.defects.targets.recognition import Sign, SignKind
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.solvers.answer import Answer, Cause, Ending, EndingKind
from falsum.solvers.request import Want

WRONG = Target(Defect.REFUTATION_UNSOUNDNESS, check=1, truth=SAT)


@pytest.mark.parametrize(
    ("answer", "standing"),
    [
        (verdicts(SAT, UNSAT, SAT), BAD),
        (verdicts(SAT, SAT, UNSAT), GOOD),
        (verdicts(UNSAT, SAT, UNSAT), GOOD),
        (verdicts(SAT, UNKNOWN, UNSAT), Standing.UNKNOWN),
        (verdicts(SAT), Standing.UNKNOWN),
        (Answer((SAT, UNSAT), Ending(EndingKind.TIMED_OUT)), BAD),
        (Answer((SAT,), Ending(EndingKind.TIMED_OUT)), Standing.TIMED_OUT),
        (REJECTED, Standing.REJECTS),
        (crashed("oops", Cause.SIGNAL, SAT, UNSAT), Standing.CRASHES),
        (crashed("oops", Cause.SELF_CHECK, SAT, UNSAT), BAD),
    ],
)
def test_a_wrong_verdict_is_looked_for_at_its_check(answer: Answer, standing: Standing) -> None:
    assert asked.standing(WRONG, answer) is standing
    assert WRONG_VERDICT.observed(WRONG) == "unsat"
    assert WRONG_VERDICT.observed(Target(Defect.SOLUTION_UNSOUNDNESS, truth=UNSAT)) == "sat"


def test_a_wrong_verdict_without_a_check_is_that_of_the_first() -> None:
    first = Target(Defect.REFUTATION_UNSOUNDNESS, truth=SAT)
    assert asked.standing(first, verdicts(UNSAT, SAT, SAT)) is BAD
    assert asked.standing(first, verdicts(SAT, UNSAT, SAT)) is GOOD


def test_what_to_look_for_is_the_opposite_of_the_right_verdict() -> None:
    judgement = Judgement(Defect.REFUTATION_UNSOUNDNESS, ("a", "b"), SAT, (), 2)
    target = WRONG_VERDICT.target(judgement, "claim", Want.CORE, verdicts(SAT))
    assert target == Target(Defect.REFUTATION_UNSOUNDNESS, "claim", "", Want.CORE, 2, SAT)
    nobody_knows = Judgement(Defect.SOLUTION_UNSOUNDNESS, ("a", "b"), None, ())
    assert WRONG_VERDICT.target(nobody_knows, "claim", Want.VERDICT, verdicts(SAT)) is None


def test_a_replay_recognises_it_by_the_verdict_at_its_check() -> None:
    assert WRONG_VERDICT.recognition(WRONG, verdicts(SAT, UNSAT)) == Sign(SignKind.CHECK, "2 unsat")
    assert WRONG_VERDICT.recognition(None, verdicts(SAT, UNSAT)) == Sign(SignKind.VERDICTS, "sat unsat")
    crash = crashed("n > 0 failed at rewriter.cpp:12")
    assert WRONG_VERDICT.recognition(WRONG, crash) == Sign(SignKind.TEXT, crash.ending.detail)
