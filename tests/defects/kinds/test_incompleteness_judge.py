"""Who gives up where another one decides."""

from __future__ import annotations

import pytest
from tests.defects.kinds.asked import judged
from tests.defects.test_judge import about, said

from falsum.defects.evidence.judgement import Defect
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Ending, EndingKind

TIMED_OUT = Answer((), Ending(EndingKind.TIMED_OUT), seconds=10.0)


@pytest.mark.parametrize(
    ("own", "other", "is_incomplete"),
    [
        (said("sat", "unknown"), said("sat", "unsat"), True),
        (said("sat", "unknown"), said("sat", "unknown"), False),
        (said("sat", "unknown"), said("sat"), False),
        (said("sat", "unsat"), said("sat", "unsat"), False),
        (said("sat"), said("sat", "unsat"), False),
        (TIMED_OUT, said("sat", "unsat"), False),
        (Answer((Verdict.SAT, Verdict.UNKNOWN), TIMED_OUT.ending), said("sat", "unsat"), False),
    ],
)
def test_who_gives_up_where_another_decides(own: Answer, other: Answer, *, is_incomplete: bool) -> None:
    text = "(declare-const x Int)(assert (> x 0))(check-sat)(assert (< x 0))(check-sat)"
    judgement = judged(text, Defect.INCOMPLETENESS, "z3", z3=about(text, own), other=about(text, other))
    assert judgement.suspects == (("z3",) if is_incomplete else ())
    if is_incomplete:
        assert (judgement.defect, judgement.check) == (Defect.INCOMPLETENESS, 1)
        assert judgement.evidence[0].text == "other answers unsat; z3 gives up and answers unknown."
    # Nobody has said of another solver that it decides this.
    stranger = judged(text, Defect.INCOMPLETENESS, s=about(text, own), other=about(text, other))
    assert stranger.suspects == ()
