"""The status of a script, and solvers that all contradict it."""

from __future__ import annotations

import pytest

from falsum.app.status import refuted
from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer

SAT, UNSAT, UNKNOWN = Verdict.SAT, Verdict.UNSAT, Verdict.UNKNOWN
ONE = "(set-info :status {})(assert true)(check-sat)"


@pytest.mark.parametrize(
    ("text", "answers", "checks"),
    [
        (ONE.format("unsat"), [[SAT], [SAT]], [1]),
        (ONE.format("sat"), [[UNSAT], [UNKNOWN]], [1]),
        (ONE.format("sat"), [[SAT], [UNSAT]], []),
        (ONE.format("sat"), [[SAT], [SAT]], []),
        (ONE.format("sat"), [[UNKNOWN], []], []),
        (ONE.format("unknown"), [[SAT], [SAT]], []),
        ("(check-sat)(set-info :status unsat)", [[SAT], [SAT]], []),
        ("(set-info :status unsat)(check-sat)(check-sat)", [[SAT, SAT], [SAT, SAT]], [1]),
        ("(check-sat)(set-info :status unsat)(check-sat)", [[SAT, SAT], [SAT, SAT]], [2]),
        ("(set-info :status sat)(set-info :status unsat)(check-sat)", [[SAT], [SAT]], [1]),
        ("(set-info :status unsat)(check-sat-assuming (true))", [[SAT], [SAT]], [1]),
        ("(check-sat)(exit)(set-info :status unsat)(check-sat)", [[SAT, SAT], [SAT, SAT]], []),
    ],
)
def test_a_status_is_refuted_by_all_who_decide(
    text: str, answers: list[list[Verdict]], checks: list[int]
) -> None:
    by_solver = {f"s{n}": Answer(tuple(verdicts), FINISHED) for n, verdicts in enumerate(answers)}
    script = refuted(read_script(text), by_solver)
    assert [each.check for each in script] == checks


def test_who_says_what_is_named() -> None:
    answers = {
        "a": Answer((SAT,), FINISHED),
        "b": Answer((UNKNOWN,), FINISHED),
        "c": Answer((SAT,), FINISHED),
    }
    (script,) = refuted(read_script(ONE.format("unsat")), answers)
    assert str(script) == (
        "the script says that check 1 is unsat, but all solvers that decide answer sat: a, c"
    )
