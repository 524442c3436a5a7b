"""Crashes: which are the same, and how they are looked for."""

from __future__ import annotations

import pytest
from tests.defects.kinds import asked
from tests.defects.kinds.asked import BAD, GOOD, REJECTED, SAT, TIMED_OUT, UNKNOWN, crashed, verdicts
from tests.defects.test_judge import POSITIVE, always

from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.kinds.crash import CRASH_KIND, alarm_target
from falsum.defects.targets.recognition import Sign, SignKind
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.solvers.answer import Answer, Cause, Ending, EndingKind
from falsum.solvers.request import Want

CRASH = crashed("n > 0 failed at rewriter.cpp:12")
ALARM = crashed("invalid model after 12 steps", Cause.SELF_CHECK)
SEGFAULT = crashed("SIGSEGV", Cause.SIGNAL)


@pytest.mark.parametrize(
    ("answer", "standing", "strictly"),
    [
        (CRASH, BAD, BAD),
        (crashed("n > 0 failed at rewriter.cpp:77"), BAD, BAD),
        (crashed("m > 0 failed at rewriter.cpp:12"), BAD, Standing.CRASHES),
        (crashed("something else entirely"), Standing.CRASHES, Standing.CRASHES),
        (crashed("n > 0 failed at rewriter.cpp:12", Cause.SIGNAL), Standing.CRASHES, Standing.CRASHES),
        (ALARM, Standing.TIMED_OUT, Standing.TIMED_OUT),
        (crashed("invalid model", Cause.SELF_CHECK, SAT), GOOD, GOOD),
        (verdicts(SAT), GOOD, GOOD),
        (verdicts(UNKNOWN), GOOD, GOOD),
        (verdicts(), Standing.UNKNOWN, Standing.UNKNOWN),
        (Answer((SAT,), Ending(EndingKind.TIMED_OUT)), Standing.TIMED_OUT, Standing.TIMED_OUT),
        (TIMED_OUT, Standing.TIMED_OUT, Standing.TIMED_OUT),
        (REJECTED, Standing.REJECTS, Standing.REJECTS),
    ],
)
def test_a_crash_is_the_same_by_cause_and_message(
    answer: Answer, standing: Standing, strictly: Standing
) -> None:
    target = Target(Defect.CRASH, message=CRASH.ending.message)
    assert asked.standing(target, answer) is standing
    assert asked.standing(target, answer, strictly=True) is strictly
    assert CRASH_KIND.observed(target) == CRASH.ending.message


@pytest.mark.parametrize(
    ("answer", "standing"),
    [
        (crashed("invalid model after 99 steps", Cause.SELF_CHECK), BAD),
        (crashed("wrong core", Cause.SELF_CHECK), Standing.CRASHES),
        (CRASH, Standing.CRASHES),
        (verdicts(SAT), GOOD),
        (REJECTED, Standing.REJECTS),
    ],
)
def test_an_alarm_is_the_same_by_its_words(answer: Answer, standing: Standing) -> None:
    target = alarm_target(ALARM, Want.VERDICT)
    assert target is not None
    assert target.message == "self-check: invalid model after   steps"
    assert asked.standing(target, answer) is standing


@pytest.mark.parametrize(
    ("answer", "standing"),
    [
        (crashed("Failed: /build/src/node.cpp:1301 x != y in rewrite"), BAD),
        (crashed("Unreachable code in the parser"), Standing.CRASHES),
        (crashed("Failed", Cause.SIGNAL), Standing.CRASHES),
        (verdicts(UNKNOWN), GOOD),
        (TIMED_OUT, Standing.TIMED_OUT),
    ],
)
def test_lines_and_folders_of_another_release_make_no_difference(answer: Answer, standing: Standing) -> None:
    target = Target(Defect.CRASH, message="assertion: Failed: node.cpp:1234 x != y in rewrite")
    assert asked.standing(target, answer) is standing


def test_what_to_look_for_is_how_it_ended() -> None:
    judgement = Judgement(Defect.CRASH, ("a", "b"), None, ())
    target = CRASH_KIND.target(judgement, "crash", Want.MODEL, CRASH)
    assert target == Target(Defect.CRASH, "crash", want=Want.MODEL, message=CRASH.ending.message)
    assert CRASH_KIND.target(judgement, "crash", Want.MODEL, ALARM) is None
    assert CRASH_KIND.target(judgement, "crash", Want.MODEL, verdicts(SAT)) is None
    assert alarm_target(CRASH, Want.VERDICT) is None


def test_a_replay_recognises_it_by_its_message() -> None:
    assert CRASH_KIND.recognition(None, CRASH) == Sign(SignKind.TEXT, CRASH.ending.detail)


def test_a_crash_of_another_solver_is_another_finding() -> None:
    lab = {"s": always(verdicts(UNKNOWN)), "other": always(SEGFAULT)}
    assert asked.judged(POSITIVE, Defect.CRASH, "s", **lab).suspects == ()
    assert asked.judged(POSITIVE, Defect.CRASH, "other", **lab).suspects == ("other",)
