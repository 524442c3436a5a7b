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
    first = seen.novelty(0, SCRIPT, {"z3": answer(5)}, {})
    assert first is not None
    assert first.text == SCRIPT
    assert seen.novelty(4, SCRIPT, {"z3": answer(6)}, {}) is None
    more = seen.novelty(8, SCRIPT, {"z3": answer(9)}, {})
    assert more is not None
    assert more.buckets == ("z3 conflicts 4",)
    other = seen.novelty(12, SCRIPT, {"z3": answer(5, Verdict.UNSAT)}, {})
    assert other is not None
    assert "z3 unsat >" in other.buckets


def test_a_configuration_is_no_news_by_itself() -> None:
    seen = SeenBehaviour()
    assert seen.novelty(0, SCRIPT, {"z3": answer(5)}, {}) is not None
    variants = {"z3:script=push": "z3"}
    assert seen.novelty(4, SCRIPT, {"z3:script=push": answer(5)}, variants) is None
    assert seen.novelty(8, SCRIPT, {"z3:script=push": answer(50)}, variants) is not None


def test_long_mutants_are_not_sent() -> None:
    told = SeenBehaviour().novelty(0, SCRIPT + " " * 20_000, {"z3": answer(5)}, {})
    assert told is not None
    assert told.text == ""
