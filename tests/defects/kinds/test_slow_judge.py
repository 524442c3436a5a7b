"""A newer release that is worse than an older one: later, or undecided."""

from __future__ import annotations

import pytest
from tests.defects.kinds.asked import judged
from tests.defects.test_judge import STRANGE, Says, always

from falsum.defects.evidence.judgement import Defect
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind

REJECTED = Answer((), Ending(EndingKind.REJECTED, Cause.UNSUPPORTED, "no"), seconds=10.0, cpu=10.0)
ON_A_BUSY_MACHINE = Answer((), Ending(EndingKind.TIMED_OUT), seconds=60.0, cpu=0.3)


def took(seconds: float, *words: str) -> Says:
    ending = FINISHED if words else Ending(EndingKind.TIMED_OUT)
    return always(Answer(tuple(map(Verdict, words)), ending, seconds=2 * seconds, cpu=seconds))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (took(0.02, "sat"), took(10.0), "z3@4 takes 0.02 s of CPU; z3 is stopped after 10.00 s."),
        (took(0.02, "sat"), took(5.0, "sat"), "z3@4 takes 0.02 s of CPU; z3 takes 5.00 s."),
        (took(0.02, "sat"), took(4.9, "sat"), ""),
        (took(2.0, "sat"), took(40.0, "sat"), "z3@4 takes 2.00 s of CPU; z3 takes 40.00 s."),
        (took(2.0, "sat"), took(39.9), ""),
        (took(0.02, "unknown"), took(10.0), ""),
        (took(0.02), took(10.0), ""),
        (took(0.02, "sat"), always(REJECTED), ""),
        (took(0.02, "sat"), always(ON_A_BUSY_MACHINE), ""),
        (took(0.02, "sat"), took(0.02, "unknown"), "z3@4 decides the script (sat); z3 answers unk"),
        (took(0.02, "sat"), took(0.02), ""),
    ],
)
def test_a_newer_release_that_is_worse(old: Says, new: Says, words: str) -> None:
    judgement = judged(STRANGE, Defect.SLOW, "z3", z3_4=old, z3=new)
    assert judgement.suspects == (("z3",) if words else ())
    if words:
        assert judgement.defect is (Defect.INCOMPLETENESS if "unk" in words else Defect.SLOW)
        assert judgement.evidence[0].text.startswith(words)
        assert judgement.evidence[0].kind == "older release"
    # The older one is not blamed for what the newer one does.
    assert judged(STRANGE, Defect.SLOW, "z3@4", z3_4=old, z3=new).suspects == ()
