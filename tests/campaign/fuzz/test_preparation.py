"""A campaign is prepared before anything is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.campaign.places import HONEST, SEED

from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.fuzz.preparation import prepare
from falsum.errors import SurroundingsError, UsageError


def plan(folder: Path, *solvers: str, strategy: str = "opfuzz") -> FuzzPlan:
    (folder / "a.smt2").write_text(SEED)
    return FuzzPlan(
        seeds=(str(folder),), solvers=solvers, strategies=(strategy,), rng=1, timeout=5.0, memory=1024
    )


def test_what_a_campaign_needs(tmp_path: Path) -> None:
    (tmp_path / "b.smt2").write_bytes(b"\xff")
    prepared = prepare(plan(tmp_path, HONEST, strategy="fusion"))
    assert [solver.name for solver in prepared.solvers] == [HONEST]
    assert prepared.arities == {"fusion": 2}
    assert [len(prepared.gathered.seeds), len(prepared.gathered.unreadable)] == [1, 1]


def test_a_solver_that_answers_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SurroundingsError, match="true does not decide any of 5 simple scripts"):
        prepare(plan(tmp_path, HONEST, "/bin/true"))


def test_unknown_strategies_and_solvers(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        prepare(plan(tmp_path, HONEST, strategy="frob"))
    with pytest.raises(UsageError):
        prepare(plan(tmp_path, "z4"))
