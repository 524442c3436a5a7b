"""Limits of this process: its own time stands still while it waits for a solver."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits, limit_own_time, waiting_for_solver
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.supervision.process import ProcessResult, Program
from falsum.solvers.zoo import Zoo


@pytest.fixture
def limited() -> Iterator[None]:
    """A process with an hour of its own; the alarm clock of the tests is wound up again."""
    before, _interval = signal.getitimer(signal.ITIMER_REAL)
    limit_own_time(3600)
    yield
    limit_own_time(0)
    signal.setitimer(signal.ITIMER_REAL, before)


def _left() -> float:
    return signal.getitimer(signal.ITIMER_REAL)[0]


@pytest.mark.usefixtures("limited")
def test_own_time_stands_still_within_calls_of_solvers(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[float] = []
    with LiveLab([resolve("z3", Zoo())]) as lab:
        run = lab.runner.run

        def watched(program: Program, limits: Limits, script: bytes | None = None) -> ProcessResult:
            left.append(_left())
            return run(program, limits, script)

        monkeypatch.setattr(lab.runner, "run", watched)
        lab.ask(Request("z3", "(check-sat)", cold=True))
    assert left == [0.0]
    assert 3000 < _left() <= 3600


@pytest.mark.usefixtures("limited")
def test_calls_within_calls_keep_the_time_that_is_left() -> None:
    with waiting_for_solver(), waiting_for_solver():
        assert _left() == 0.0
    assert 3000 < _left() <= 3600


def test_without_a_limit_nobody_touches_the_alarm_clock() -> None:
    before = _left()
    with waiting_for_solver():
        assert (_left() > 0) == (before > 0)


@pytest.mark.usefixtures("limited")
def test_time_without_a_core_is_made_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tmp_path / "schedstat"
    told.write_text("5 1000000000 7\n")
    monkeypatch.setattr("falsum.solvers.limits._QUEUE", told)
    monkeypatch.setattr("falsum.solvers.limits._AlarmClock.file", None)
    limit_own_time(3600)
    told.write_text("5 301000000000 9\n")
    with waiting_for_solver():
        pass
    assert 3800 < _left() <= 3900
    with waiting_for_solver():
        pass
    assert 3800 < _left() <= 3900
    told.unlink()
    monkeypatch.setattr("falsum.solvers.limits._AlarmClock.file", None)
    with waiting_for_solver():
        pass
    assert 3800 < _left() <= 3900
