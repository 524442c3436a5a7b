"""Solvers that go or change in the middle of a campaign are left out and named, and blamed for nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.campaign.fuzz.test_runner import kinds
from tests.campaign.places import HERE, HONEST, batch_of, state_of

from falsum.campaign.fuzz import runner
from falsum.campaign.fuzz.batch import Batch
from falsum.campaign.fuzz.worker_state import WorkerState
from falsum.campaign.outcome import BatchOutcome
from falsum.campaign.program_marks import mark_of
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "generic"
    file.write_text(f'#!/bin/sh\nexec /bin/sh {HERE / "liar.sh"} honest abs "$@"\n')
    file.chmod(0o755)
    return file


def remove(program: Path) -> None:
    program.unlink()


def replace(program: Path) -> None:
    program.unlink()
    shutil.copy("/bin/true", program)


def lie(program: Path) -> None:
    text = program.read_text().replace("honest", "verdict")
    program.write_text(text)


@pytest.mark.parametrize("is_before", [True, False])
@pytest.mark.parametrize("change", [remove, replace, lie])
def test_a_solver_that_changes(
    program: Path, change: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch, *, is_before: bool
) -> None:
    batch = batch_of(str(program), HONEST, count=6)
    marks = {name: mark_of(resolve(name, Zoo())) for name in batch.plan.solvers}
    batch = msgspec.structs.replace(batch, marks=marks)
    with state_of(*batch.plan.solvers) as state:
        if is_before:
            change(program)
        else:
            attempt = runner._Run

            def changing(batch: Batch, state: WorkerState, stopping: Callable[[], bool]) -> object:
                if str(program) in batch.plan.solvers:
                    change(program)
                return attempt(batch, state, stopping)

            monkeypatch.setattr(runner, "_Run", changing)
        outcome = runner.run(batch, state)
    assert list(outcome.gone) == [str(program)]
    assert (outcome.faults, outcome.findings, outcome.record.made) == ((), (), 6)


def test_a_solver_that_answers_nothing_any_more(tmp_path: Path, program: Path) -> None:
    """Its own file is as it was, but what it needs is gone."""
    other = tmp_path / "wrapper"
    other.write_text(f'#!/bin/sh\nexec /bin/sh -c "{program} $*"\n')
    other.chmod(0o755)
    batch = batch_of(str(other), HONEST, count=6)
    marks = {name: mark_of(resolve(name, Zoo())) for name in batch.plan.solvers}
    batch = msgspec.structs.replace(batch, marks=marks)
    with state_of(*batch.plan.solvers) as state:
        assert runner.run(batch, state).gone == {}
    program.unlink()
    with state_of(*batch.plan.solvers) as state:  # one that remembers no answers
        outcome = runner.run(batch, state)
    assert list(outcome.gone) == [str(other)]
    assert "does not decide any of 5 simple scripts" in outcome.gone[str(other)]
    assert (outcome.faults, kinds(outcome), outcome.record.made) == ((), set(), 6)


def test_without_any_solver_there_is_no_batch(program: Path) -> None:
    batch = batch_of(str(program))
    batch = msgspec.structs.replace(batch, marks={str(program): mark_of(resolve(str(program), Zoo()))})
    with state_of(*batch.plan.solvers) as state:
        program.unlink()
        outcome: BatchOutcome = runner.run(batch, state)
    assert (list(outcome.gone), outcome.record.made) == ([str(program)], 0)
