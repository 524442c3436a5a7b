"""Slow answers: which show it once it is judged, or the user says so, and how it is looked for."""

from __future__ import annotations

import pytest
from tests.defects.kinds import asked
from tests.defects.kinds.asked import BAD, GOOD, REJECTED, SAT, THREE, TIMED_OUT, UNSAT, crashed, verdicts

from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.kinds.slow import FACTOR, LEAST_SECONDS
from falsum.defects.table import kind_named
from falsum.defects.targets.recognition import Sign, SignKind
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.solvers.answer import Answer
from falsum.solvers.request import Want

KIND = kind_named(Defect.SLOW)
LATE = Target(Defect.SLOW, seconds=5.0).on(THREE)


def took(seconds: float, cpu: float, answer: Answer = TIMED_OUT) -> Answer:
    return Answer(answer.verdicts, answer.ending, seconds=seconds, cpu=cpu)


@pytest.mark.parametrize(
    ("answer", "standing"),
    [
        (took(60.0, 5.0), BAD),
        (took(5.0, 5.0, verdicts(SAT)), BAD),
        (took(60.0, 4.9), Standing.TIMED_OUT),  # on a busy machine
        (took(60.0, 4.9, verdicts(SAT)), GOOD),
        (took(5.0, 0.0), Standing.TIMED_OUT),  # only CPU time counts
        (took(4.9, 0.0, verdicts(UNSAT)), GOOD),
        (took(0.1, 0.1, REJECTED), Standing.REJECTS),
        (took(9.0, 9.0, crashed("n > 0 failed at rewriter.cpp:12")), Standing.CRASHES),
    ],
)
def test_slow_is_who_takes_so_much_cpu_time(answer: Answer, standing: Standing) -> None:
    assert asked.standing(LATE, answer) is standing
    assert KIND.observed(LATE) == "no answer within 5 s"


def test_what_to_look_for_is_the_least_time_that_is_too_much() -> None:
    judgement = Judgement(Defect.SLOW, ("a", "b"), None, ())
    for answer in (took(30.0, 10.1234), took(30.0, 200.0)):
        target = KIND.target(judgement, "slow", Want.VERDICT, answer)
        assert target == Target(Defect.SLOW, "slow", seconds=LEAST_SECONDS)
    assert (LEAST_SECONDS, FACTOR) == (5.0, 20.0)


def test_a_replay_leaves_the_time_to_falsum() -> None:
    assert KIND.recognition(LATE, took(60.0, 9.0)) == Sign(SignKind.UNSEEN)
