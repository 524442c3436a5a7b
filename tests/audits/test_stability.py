"""Categories of success rates, and how many variants they take."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.audits.plants import UNSAT, liar, query

from falsum.audits.answers import Respondents
from falsum.audits.journal import Journal
from falsum.audits.query.queries import Query
from falsum.audits.rows import Category, StabilityRow
from falsum.audits.stability import (
    FIRST_LOOK,
    IN_A_ROW,
    Stability,
    StabilityPlan,
    _is_far,
    category,
    early_category,
)
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


@pytest.mark.parametrize(
    ("times", "limit", "is_far"),
    [
        ([0.01] * 10, 1.0, True), ([0.4] * 10, 1.0, True), ([0.5] * 10, 1.0, False),
        ([0.1, 0.9] * 5, 5.0, False), ([0.1, 0.9] * 5, 60.0, True),
    ],
)  # fmt: skip
def test_times_far_below_the_limit(times: list[float], limit: float, *, is_far: bool) -> None:
    assert _is_far(times, limit) is is_far


@pytest.mark.parametrize(
    ("successes", "variants", "expected"),
    [
        (60, 60, Category.STABLE), (59, 60, Category.INCONCLUSIVE), (57, 60, Category.INCONCLUSIVE),
        (53, 60, Category.UNSTABLE), (30, 60, Category.UNSTABLE), (7, 60, Category.UNSTABLE),
        (3, 60, Category.INCONCLUSIVE), (0, 60, Category.UNSOLVABLE), (5, 10, Category.UNSTABLE),
        (10, 10, Category.INCONCLUSIVE), (0, 10, Category.INCONCLUSIVE), (0, 0, Category.INCONCLUSIVE),
    ],
)  # fmt: skip
def test_categories(successes: int, variants: int, expected: Category) -> None:
    assert category(successes, variants) is expected


def shares(rate: float) -> dict[Category, float]:
    """How probable each early category is for a query with this success rate, exactly."""
    found = dict.fromkeys(Category, 0.0)
    open_ways = {0: 1.0}  # by successes
    for count in range(1, 61):
        ways: dict[int, float] = {}
        for successes, p in open_ways.items():
            for more, chance in ((1, rate), (0, 1 - rate)):
                ways[successes + more] = ways.get(successes + more, 0.0) + p * chance
        open_ways = {}
        for successes, p in ways.items():
            early = early_category(successes, count) if count >= FIRST_LOOK else None
            if early is None:
                open_ways[successes] = p
            else:
                found[early] += p
    return found


@pytest.mark.parametrize("rate", [0.95, 0.97, 0.99, 1.0])
def test_what_is_stable_is_hardly_ever_called_unstable_early(rate: float) -> None:
    assert shares(rate)[Category.UNSTABLE] <= 0.05
    assert shares(1 - rate)[Category.UNSTABLE] <= 0.05


@pytest.mark.parametrize("rate", [0.5, 0.8, 0.85])
def test_what_is_not_stable_is_hardly_ever_called_so_early(rate: float) -> None:
    assert shares(rate)[Category.STABLE] <= 0.05
    assert shares(1 - rate)[Category.UNSOLVABLE] <= 0.05


def test_what_is_unstable_is_seen_early() -> None:
    assert shares(0.5)[Category.UNSTABLE] > 0.99
    assert shares(0.8)[Category.UNSTABLE] > 0.8


def row(text: str, solver: str, tmp_path: Path, *, is_adaptive: bool = True) -> StabilityRow:
    plan = StabilityPlan((resolve(solver, Zoo()),), 60, is_adaptive)
    with Journal(tmp_path / "journal") as journal, Respondents(journal, 5.0, 1024) as respondents:
        (found,) = Stability(plan, respondents).examine(Query("q", Path("q")), text).rows
    return found


def test_a_stable_query_is_asked_ten_times(tmp_path: Path) -> None:
    found = row(query(UNSAT, "c", Random(1)), "z3", tmp_path)
    assert (found.category, found.variants, found.successes) == (Category.STABLE, FIRST_LOOK, FIRST_LOOK)
    assert found.low < 0.75, "ten variants do not say more"
    assert found.stopped_early


@pytest.mark.timeout(300)
def test_a_query_that_depends_on_the_seed_is_unstable(tmp_path: Path) -> None:
    """The liar gives up with odd seeds; with other names it does not know the query."""
    found = row(query(UNSAT, "plant_unstable", Random(1)), liar(tmp_path), tmp_path)
    assert found.category is Category.UNSTABLE
    assert found.by_kind["order"][0] == found.by_kind["order"][1]
    assert found.by_kind["seed"][0] == 0
    assert "unknown" in found.reason


def test_what_nobody_decides_is_unsolvable_soon(tmp_path: Path) -> None:
    text = (
        "(set-option :auto_config false)(set-option :smt.mbqi false)(declare-fun f (Int) Int)"
        "(assert (forall ((x Int)) (! (> (f (f x)) x) :pattern ((f (f x))))))(check-sat)"
    )
    found = row(text, "z3", tmp_path)
    assert (found.category, found.variants) == (Category.UNSOLVABLE, IN_A_ROW)
