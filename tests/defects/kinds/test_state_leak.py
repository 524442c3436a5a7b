"""State leaks: the judge says what a fresh process answers."""

from __future__ import annotations

from tests.defects.kinds.asked import judged
from tests.defects.test_judge import POSITIVE, always, said

from falsum.defects.evidence.judgement import Defect
from falsum.solvers.answer import Answer, Ending, EndingKind

TIMED_OUT = Answer((), Ending(EndingKind.TIMED_OUT), seconds=10.0)


def test_a_leak_says_what_a_fresh_process_answers() -> None:
    for answer, words in (
        (said("sat", "unknown"), "s answers sat unknown."),
        (TIMED_OUT, "s timed out."),
        (said(), "s finished."),
    ):
        judgement = judged(POSITIVE, Defect.STATE_LEAK, s=always(answer))
        assert (judgement.defect, judgement.suspects) == (Defect.STATE_LEAK, ("s",))
        assert f"In a fresh process {words}" in judgement.evidence[0].text
