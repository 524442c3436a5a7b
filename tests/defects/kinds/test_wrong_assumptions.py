"""Unsat assumptions: those that are made where the script has none."""

from __future__ import annotations

import pytest
from tests.defects.kinds.asked import judged
from tests.defects.test_judge import said

from falsum.defects.evidence.judgement import Defect
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.request import Want

TWO = "(declare-const a Bool)(declare-const b Bool)(assert a)(assert (not a))(assert b)(check-sat)"


@pytest.mark.parametrize(
    ("named", "is_wrong"),
    [
        ("(falsum!a1 falsum!a3)", True),
        ("(falsum!a1 falsum!a2 falsum!a3)", False),
        ("()", False),
        ("(falsum!a1 other)", False),
    ],
)
def test_assumptions_are_made_where_the_script_has_none(named: str, *, is_wrong: bool) -> None:
    """Each assertion is implied by a constant that is assumed."""

    def says(script: str, want: Want) -> Answer:
        if want is Want.ASSUMPTIONS:
            assert "(check-sat-assuming (falsum!a1 falsum!a2 falsum!a3))" in script
            return Answer((Verdict.UNSAT,), FINISHED, printed=(named,))
        return said("unsat") if script == TWO else said("sat" if "falsum!a" in script else "unknown")

    judgement = judged(TWO, Defect.WRONG_ASSUMPTIONS, s=says)
    assert judgement.defect is (Defect.WRONG_ASSUMPTIONS if is_wrong else Defect.UNDECIDED)
    assert judgement.suspects == (("s",) if is_wrong else ())
    assert judged(TWO, Defect.INVALID_MODEL, s=says).suspects == ()  # that would be another finding
