"""Behaviour in buckets: what is new is told once."""

from __future__ import annotations

from falsum.campaign.search.behaviour import SeenBehaviour, behaviour
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Ending, EndingKind

SCRIPT = "(declare-const x Int)\n(assert (> x 1))(check-sat)"


def answer(conflicts: int, verdict: Verdict = Verdict.SAT) -> Answer:
    return Answer((verdict,), FINISHED, statistics=f"(:conflicts {conflicts})")


def test_statistics_and_verdicts_by_operator() -> None:
    found = behaviour(SCRIPT, {"z3": answer(5)}, {})
    assert {"z3 conflicts 3", "z3 sat >"} <= found
    assert not behaviour(
        SCRIPT, {"z3": Answer((), Ending(EndingKind.TIMED_OUT), statistics="(:conflicts 5)")}, {}
    )


def test_what_is_new_is_told_once() -> None:
    seen = SeenBehaviour()
    assert seen.new(SCRIPT, {"z3": answer(5)}, {})
    assert not seen.new(SCRIPT, {"z3": answer(6)}, {})
    assert seen.new(SCRIPT, {"z3": answer(9)}, {}) == ("z3 conflicts 4",)
    assert "z3 unsat >" in seen.new(SCRIPT, {"z3": answer(5, Verdict.UNSAT)}, {})


def test_a_configuration_is_no_news_by_itself() -> None:
    seen = SeenBehaviour()
    assert seen.new(SCRIPT, {"z3": answer(5)}, {})
    variants = {"z3:script=push": "z3"}
    assert not seen.new(SCRIPT, {"z3:script=push": answer(5)}, variants)
    assert seen.new(SCRIPT, {"z3:script=push": answer(50)}, variants)
