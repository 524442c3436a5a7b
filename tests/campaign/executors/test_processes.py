"""The pool: workers that die or hang are replaced, and none outlives its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from tests.campaign.executors.runners import COUNTER, ECHO, GLUTTON, POLLER, RAISER, SLEEPER, SPINNER, WAITER

from falsum.campaign.executors import processes
from falsum.campaign.executors.executor import Executor, Loss, Task, TaskResult
from falsum.campaign.executors.processes import ProcessPool

LONG = 60.0
ROOT = Path(__file__).parents[3]


@pytest.fixture
def pool() -> Iterator[ProcessPool]:
    with closing(ProcessPool(2)) as made:
        yield made


def results(pool: Executor, count: int) -> list[TaskResult]:
    got: list[TaskResult] = []
    until = time.monotonic() + LONG
    while len(got) < count and time.monotonic() < until:
        got += pool.results(0.1)
    return got


def ran(pool: Executor, runner: str, body: bytes = b"") -> TaskResult:
    pool.submit(Task(7, runner, body, LONG))
    (result,) = results(pool, 1)
    return result


def test_tasks_are_run_and_workers_keep_their_runner(pool: ProcessPool) -> None:
    assert (pool.idle, pool.busy, pool.processes) == (2, 0, [])
    assert ran(pool, ECHO, b"\x00\xff") == TaskResult(7, b"\x00\xff")
    first, second = (ran(pool, COUNTER).body.split() for _ in range(2))
    assert (first[0], second[0]) == (b"1", b"2")
    assert first[1] == second[1]
    # One was enough.
    assert len(pool.processes) == 1


def test_as_many_at_once_as_there_are_jobs(pool: ProcessPool) -> None:
    for number in range(2):
        pool.submit(Task(number, ECHO, b"", LONG))
    assert (pool.idle, pool.busy) == (0, 2)
    with pytest.raises(AssertionError):
        pool.submit(Task(2, ECHO, b"", LONG))
    assert {result.number for result in results(pool, 2)} == {0, 1}
    assert (pool.idle, pool.busy) == (2, 0)


def test_a_runner_that_raises_loses_its_task_and_nothing_else(pool: ProcessPool) -> None:
    result = ran(pool, RAISER, b"whoever")
    assert "ZeroDivisionError: whoever" in result.lost
    assert "No module named" in ran(pool, "no.such.module:Runner").lost
    assert ran(pool, ECHO, b"x").body == b"x"
    assert len(pool.processes) == 1


def test_a_worker_that_dies_is_replaced_and_its_task_comes_back_as_lost(pool: ProcessPool) -> None:
    pool.submit(Task(3, SLEEPER, b"", LONG))
    (before,) = pool.processes
    os.kill(before, signal.SIGKILL)
    (result,) = results(pool, 1)
    assert result == TaskResult(3, lost="the worker ended with status -9", loss=Loss.KILLED)
    assert ran(pool, ECHO, b"x").body == b"x"
    assert before not in pool.processes


def test_a_worker_that_hangs_is_replaced_and_its_task_comes_back_as_lost(pool: ProcessPool) -> None:
    pool.submit(Task(3, SLEEPER, b"", 0.3))
    (before,) = pool.processes
    (result,) = results(pool, 1)
    assert result.number == 3
    assert "too long" in result.lost
    assert ran(pool, ECHO, b"x").body == b"x"
    assert before not in pool.processes


def test_a_worker_that_computes_too_long_is_ended_in_the_middle_of_a_step(pool: ProcessPool) -> None:
    pool.submit(Task(3, SPINNER, b"", 20 * LONG, cpu=0.5))
    (result,) = results(pool, 1)
    assert result == TaskResult(
        3, lost="the task took too much CPU time and its worker was ended", loss=Loss.LIMIT
    )
    assert ran(pool, ECHO, b"x").body == b"x"


def test_cpu_time_is_counted_anew_for_each_task(pool: ProcessPool) -> None:
    for _ in range(3):
        pool.submit(Task(3, ECHO, b"x", LONG, cpu=1.0))
        assert results(pool, 1) == [TaskResult(3, b"x")]
    assert len(pool.processes) == 1


def test_a_worker_that_waits_for_nobody_is_ended_long_before_the_solvers_could_be(pool: ProcessPool) -> None:
    pool.submit(Task(3, SLEEPER, b"", 20 * LONG, own=0.3))
    (result,) = results(pool, 1)
    assert result.lost == "the task took too long, not counting solvers, and its worker was ended"
    assert ran(pool, ECHO, b"x").body == b"x"


def test_waiting_for_solvers_does_not_count_as_the_worker_s_own(pool: ProcessPool) -> None:
    for _ in range(2):
        pool.submit(Task(3, WAITER, b"x", LONG, own=0.5))
        assert results(pool, 1) == [TaskResult(3, b"x")]
    assert len(pool.processes) == 1


def test_memory_is_limited_and_a_worker_that_ran_out_of_it_is_replaced(pool: ProcessPool) -> None:
    pool.submit(Task(3, GLUTTON, b"", LONG))
    (before,) = pool.processes
    assert results(pool, 1) == [
        TaskResult(3, lost="the task took more memory than a worker may have", loss=Loss.LIMIT)
    ]
    psutil.wait_procs([psutil.Process(before)] if psutil.pid_exists(before) else [], timeout=LONG)
    assert ran(pool, ECHO, b"x").body == b"x"
    assert before not in pool.processes


def test_a_worker_that_dies_idle_costs_nothing(pool: ProcessPool) -> None:
    ran(pool, ECHO)
    os.kill(pool.processes[0], signal.SIGKILL)
    time.sleep(0.2)
    assert list(pool.results(0.1)) == []
    assert ran(pool, ECHO, b"x").body == b"x"


def test_a_used_up_worker_is_replaced_and_no_task_is_lost(
    pool: ProcessPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_MAX_TASKS", 1)
    numbers = [ran(pool, COUNTER).body.split()[1] for _ in range(3)]
    assert len(set(numbers)) == 3
    monkeypatch.setattr(processes, "_MAX_TASKS", 100)
    monkeypatch.setattr(processes, "_MAX_RESIDENT_BYTES", 1 << 20)
    assert ran(pool, COUNTER).body.split()[1] != ran(pool, COUNTER).body.split()[1]


def test_a_task_can_see_that_it_is_to_stop(pool: ProcessPool) -> None:
    pool.submit(Task(1, POLLER, b"", LONG))
    assert list(pool.results(1.5)) == []
    pool.stop()
    (result,) = results(pool, 1)
    assert result.body.startswith(b"stopped after")
    assert int(result.body.split()[2]) > 0
    assert (pool.idle, pool.busy) == (0, 0)


@pytest.mark.parametrize("is_stopping", [False, True])
def test_a_stopped_worker_keeps_nobody_waiting(
    pool: ProcessPool, monkeypatch: pytest.MonkeyPatch, *, is_stopping: bool
) -> None:
    monkeypatch.setattr("falsum.campaign.executors.processes._STOPPED_LOOK_SECONDS", 0.05)
    pool.submit(Task(3, SLEEPER, b"", 20 * LONG))
    (before,) = pool.processes
    os.kill(before, signal.SIGSTOP)
    if is_stopping:
        pool.stop()
        until = time.monotonic() + LONG
        while pool.busy and time.monotonic() < until:
            assert list(pool.results(0.1)) == []
        assert not pool.busy
        return
    (result,) = results(pool, 1)
    assert result == TaskResult(3, lost="the worker was stopped, and killed for it", loss=Loss.KILLED)
    assert ran(pool, ECHO, b"x").body == b"x"


def test_a_task_that_is_run_afresh_has_a_new_runner(pool: ProcessPool) -> None:
    counts = []
    for is_afresh in (False, False, True, False):
        pool.submit(Task(3, COUNTER, b"", LONG, afresh=is_afresh))
        counts.append(results(pool, 1)[0].body.split()[0])
    assert counts == [b"1", b"2", b"1", b"2"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT])
def test_signals_for_the_whole_group_do_not_end_workers(pool: ProcessPool, number: int) -> None:
    ran(pool, ECHO)
    (worker,) = pool.processes
    os.kill(worker, number)
    assert ran(pool, ECHO, b"x").body == b"x"
    assert pool.processes == [worker]


def test_what_is_lost_while_stopping_does_not_come_back(pool: ProcessPool) -> None:
    pool.submit(Task(1, SLEEPER, b"", LONG))
    pool.stop()
    os.kill(pool.processes[0], signal.SIGKILL)
    assert list(pool.results(5.0)) == []
    assert pool.busy == 0


def test_closing_ends_workers_by_force() -> None:
    pool = ProcessPool(1)
    pool.submit(Task(1, SLEEPER, b"", LONG))
    (number,) = pool.processes
    start = time.monotonic()
    pool.close(grace=0.2)
    assert time.monotonic() - start < 5
    assert not psutil.pid_exists(number)


def test_workers_have_a_niceness_of_their_own() -> None:
    with closing(ProcessPool(1, niceness=3)) as pool:
        assert int(ran(pool, COUNTER).body.split()[2]) == os.nice(0) + 3


PARENT = """
import sys, time
from falsum.campaign.executors.executor import Task
from falsum.campaign.executors.processes import ProcessPool
from tests.campaign.places import batch_of, liar
from falsum.campaign.fuzz.workload import task_for
if __name__ == "__main__":
    pool = ProcessPool(2)
    for _ in range(2):
        pool.submit(task_for(batch_of(liar("hang", "check-sat"), timeout=50.0, strategy="opfuzz")))
    time.sleep(float(sys.argv[1]))
    print(*pool.processes, flush=True)
    time.sleep(60)
"""


def test_workers_and_solvers_do_not_outlive_their_parent() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, "1.5"], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as parent:
        assert parent.stdout is not None
        try:
            parent.stdout.readline()
            family = psutil.Process(parent.pid).children(recursive=True)
        finally:
            parent.kill()
    assert len(family) >= 2
    _gone, alive = psutil.wait_procs(family, timeout=20)
    # A process of the system that tracks resources may linger for a moment; solvers and workers may not.
    assert [process.cmdline() for process in alive if process.is_running()] == []
