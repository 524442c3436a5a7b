"""What runs on two sides amount to."""

from __future__ import annotations

import pytest

from falsum.audits.answers import CheckAnswer, QueryAnswer
from falsum.audits.comparison import Comparison, Pair, Side
from falsum.audits.rows import Change
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

Z3 = resolve("z3", Zoo())
WORDS = {"s": "sat", "u": "unsat", "?": "unknown"}


def side(verdicts: str, times: list[float] | None = None, models: str = "") -> Side:
    """A run for each letter; a dot is a run without an answer."""
    checks = [CheckAnswer(WORDS[v]) if v in WORDS else CheckAnswer(ending="timed out") for v in verdicts]
    cpu = times or [1.0] * len(verdicts)
    return Side(Z3, tuple(QueryAnswer((c,), cpu=t, models=models) for c, t in zip(checks, cpu, strict=True)))


SLOW = [3.0, 3.1, 3.2, 3.0, 3.3]


@pytest.mark.parametrize(
    ("first", "further", "change"),
    [
        (("uuu", "uuu"), None, Change.SAME),
        (("???", "..."), None, Change.UNDECIDED),
        (("uuu", "???"), ("uuuuu", "....?"), Change.LOST),
        (("...", "sss"), (".....", "sssss"), Change.WON),
        (("uuu", "?uu"), ("uuuuu", "uuuuu"), Change.UNSTABLE),
        (("uuu", "???"), ("uuuuu", "????u"), Change.UNSTABLE),
        (("u?u", "uuu"), ("u?", "uu"), Change.UNSTABLE),
        (("uuu", "???"), ("uuu", "???"), Change.SAME),  # too few runs to tell
    ],
)
def test_verdicts(first: tuple[str, str], further: tuple[str, str] | None, change: Change) -> None:
    compared = Comparison(Pair(*map(side, first)), Pair(*map(side, further)) if further else None)
    assert compared.outcome(0).change is change


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ([1.0] * 5, SLOW, Change.SLOWER),
        (SLOW, [1.0] * 5, Change.FASTER),
        ([1.0] * 5, [1.3] * 5, Change.SAME),  # significant, but not much
        ([1.0, 1.0, 1.0, 4.0, 4.0], SLOW, Change.SAME),  # much, but not significant
        ([0.01] * 5, [0.05] * 5, Change.SAME),  # nobody notices
    ],
)
def test_times(before: list[float], after: list[float], change: Change) -> None:
    pair = Pair(side("uuuuu", before), side("uuuuu", after))
    first = Pair(side("uuu"), side("uuu", [9.0] * 3))
    assert Comparison(first, pair).outcome(0).change is change
    assert first.old.cpu == 1.0
    assert Comparison(first).differs_in_time


def test_sat_and_unsat_are_a_contradiction_in_any_run() -> None:
    agreeing = Pair(side("uuu"), side("u?u"))
    assert not Comparison(agreeing).is_contradiction(0)
    assert Comparison(agreeing, Pair(side("uu"), side("us"))).is_contradiction(0)


def test_another_format_of_models_is_a_rejection() -> None:
    old, new = side("s", models="(model (define-fun …))"), side("s", models="((= …))")
    outcome = Comparison(Pair(old, new)).outcome(0)
    assert outcome.change is Change.REJECTED
    assert "((= …))" in outcome.reason
