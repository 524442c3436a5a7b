"""Giving up: which answers show it once it is judged, and how it is looked for."""

from __future__ import annotations

import pytest
from tests.defects.kinds import asked
from tests.defects.kinds.asked import (
    BAD,
    GOOD,
    REJECTED,
    SAT,
    THREE,
    TIMED_OUT,
    UNKNOWN,
    UNSAT,
    crashed,
    verdicts,
)

from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.table import kind_named
from falsum.defects.targets.recognition import Sign, SignKind
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.solvers.answer import Answer
from falsum.solvers.request import Want

KIND = kind_named(Defect.INCOMPLETENESS)
OPEN = Target(Defect.INCOMPLETENESS, check=1).on(THREE)


@pytest.mark.parametrize(
    ("answer", "standing"),
    [
        (verdicts(SAT, UNKNOWN, SAT), BAD),
        (verdicts(UNKNOWN, SAT, UNKNOWN), GOOD),
        (verdicts(UNKNOWN, UNSAT), GOOD),
        (verdicts(UNKNOWN), Standing.UNKNOWN),
        (TIMED_OUT, Standing.TIMED_OUT),
        (REJECTED, Standing.REJECTS),
        (crashed("n > 0 failed at rewriter.cpp:12"), Standing.CRASHES),
    ],
)
def test_giving_up_is_looked_for_at_its_check(answer: Answer, standing: Standing) -> None:
    assert asked.standing(OPEN, answer) is standing
    assert KIND.observed(OPEN) == "unknown"


def test_another_script_is_for_the_oracle() -> None:
    """Nobody has judged that the solver should decide it."""
    assert asked.standing(OPEN, verdicts(SAT, UNKNOWN, SAT), f"{THREE}(check-sat)") is not BAD


def test_what_to_look_for_is_the_check() -> None:
    judgement = Judgement(Defect.INCOMPLETENESS, ("a", "b"), None, (), 2)
    target = KIND.target(judgement, "incompleteness", Want.MODEL, verdicts(SAT))
    assert target == Target(Defect.INCOMPLETENESS, "incompleteness", want=Want.MODEL, check=2)


def test_a_replay_recognises_it_at_its_check() -> None:
    assert KIND.recognition(OPEN, verdicts(SAT, UNKNOWN)) == Sign(SignKind.CHECK, "2 unknown")
