"""Trials on the workers of an executor: the same trials as here, and errors that arrive."""

from __future__ import annotations

from contextlib import closing

import pytest

from falsum.campaign.executors.processes import ProcessPool
from falsum.contest.benchmarks import Benchmark
from falsum.contest.entrants import Entrant
from falsum.contest.remote_trials import remote_trials
from falsum.contest.trials import Rules, TrialTask
from falsum.errors import SurroundingsError

ENTRY = Benchmark("z3", "z3", "near", (), (("a", "(assert true)(check-sat)\n"),))
RULES = Rules(seconds=1.0, trials=1)
COPY = "sh -c 'cp {seeds}/a.smt2 {out}/; exec {python} -c \"while True: pass\"'"


@pytest.mark.timeout(300)
def test_trials_are_run_by_workers() -> None:
    tasks = [TrialTask(Entrant(f"copy{n}", COPY), ENTRY, RULES, n) for n in range(2)]
    with closing(ProcessPool(1)) as executor:
        trials = sorted(remote_trials(tasks, executor), key=lambda trial: trial.number)
    assert [(each.fuzzer, each.benchmark, each.number) for each in trials] == [
        ("copy0", "z3 near", 0), ("copy1", "z3 near", 1),
    ]  # fmt: skip
    assert [(each.reports, each.false_alarms, each.bugs) for each in trials] == [(1, 1, {})] * 2


@pytest.mark.timeout(300)
def test_a_fuzzer_that_cannot_be_started_ends_the_contest() -> None:
    task = TrialTask(Entrant("missing", "/no/such/program"), ENTRY, RULES, 3)
    with (
        closing(ProcessPool(1)) as executor,
        pytest.raises(SurroundingsError, match=r"missing, trial 3: not run: .*/no/such/program"),
    ):
        list(remote_trials([task], executor))
