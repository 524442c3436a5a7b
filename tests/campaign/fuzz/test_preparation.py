"""A campaign is prepared before anything is written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.campaign.places import HONEST, SEED
from tests.campaign.test_campaign import Log

from falsum.campaign.corpus.seed_files import digest_of
from falsum.campaign.fuzz.batch import unpacked
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.fuzz.preparation import prepare
from falsum.errors import SurroundingsError, UsageError
from falsum.store.store import Store


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


def test_seeds_are_in_the_campaign_from_its_start(tmp_path: Path) -> None:
    folder = tmp_path / "seeds"
    folder.mkdir()
    (folder / "b.smt2").write_text(SEED.replace("5", "6"))
    fixed = plan(folder, HONEST)
    prepared = prepare(fixed)
    (folder / "b.smt2").write_text(SEED.replace("5", "7"))  # before anybody has taken it
    log = Log()
    with Store(tmp_path / "out") as store:
        number, workload = prepared.begin(store, log)
        assert log.events == [("seed", str(folder / "b.smt2"))]
        shutil.rmtree(folder)
        for _ in range(3):
            task = workload.next(0.0, 1)
            assert task is not None
            assert [seed.text for seed in unpacked(task).seeds] == [SEED]
    resumed = prepare(fixed, (tmp_path / "out", number))
    assert [seed.digest for seed in resumed.gathered.seeds] == [digest_of(SEED)]


def test_seeds_that_are_all_gone_are_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "seeds"
    folder.mkdir()
    prepared = prepare(plan(folder, HONEST))
    shutil.rmtree(folder)
    with Store(tmp_path / "out") as store, pytest.raises(SurroundingsError, match="all seeds are gone"):
        prepared.begin(store, Log())


def test_unknown_strategies_and_solvers(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        prepare(plan(tmp_path, HONEST, strategy="frob"))
    with pytest.raises(UsageError):
        prepare(plan(tmp_path, "z4"))
