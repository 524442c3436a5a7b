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
from falsum.audits.stability import LOOKS, Stability, StabilityPlan, category
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


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


def row(text: str, solver: str, tmp_path: Path, *, is_adaptive: bool = True) -> StabilityRow:
    plan = StabilityPlan((resolve(solver, Zoo()),), 60, is_adaptive)
    with Journal(tmp_path / "journal") as journal, Respondents(journal, 5.0, 1024) as respondents:
        (found,) = Stability(plan, respondents).examine(Query("q", Path("q")), text).rows
    return found


def test_a_stable_query_is_asked_ten_times(tmp_path: Path) -> None:
    found = row(query(UNSAT, "c", Random(1)), "z3", tmp_path)
    assert (found.category, found.variants, found.successes) == (Category.STABLE, LOOKS[0], LOOKS[0])
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
    assert (found.category, found.variants) == (Category.UNSOLVABLE, LOOKS[1])
