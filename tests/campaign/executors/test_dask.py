"""Tasks on real Dask clusters: workers that die, schedulers that are started again."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest
from tests.campaign.executors.runners import COUNTER, ECHO, POLLER, RAISER, SLEEPER, garbage_of_one
from tests.campaign.executors.test_processes import results

from falsum.campaign.executors.clusters import connect
from falsum.campaign.executors.executor import Task
from falsum.errors import SurroundingsError
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

pytest.importorskip("distributed", reason="needs the extra: pip install 'falsum[cluster]'")

from falsum.campaign.executors.dask import DaskExecutor

LONG = 60.0
ROOT = Path(__file__).parents[3]


@pytest.fixture
def executor(monkeypatch: pytest.MonkeyPatch) -> Iterator[DaskExecutor]:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # where the runners are
    made = connect("local:2", {}, [resolve("z3", Zoo())])
    with closing(made):
        yield made


@pytest.mark.timeout(300)
def test_tasks_run_on_workers_that_keep_their_runners(executor: DaskExecutor) -> None:
    until = time.monotonic() + LONG
    while executor.idle < 2 and time.monotonic() < until:
        time.sleep(0.1)
    assert (executor.idle, executor.busy) == (2, 0)
    for number in range(2):
        executor.submit(Task(number, ECHO, b"\x00\xff", LONG))
    assert (executor.idle, executor.busy) == (0, 2)
    assert sorted((one.number, one.body, one.lost) for one in results(executor, 2)) == [
        (0, b"\x00\xff", ""),
        (1, b"\x00\xff", ""),
    ]
    counts: dict[bytes, list[int]] = {}
    for number in range(6):
        executor.submit(Task(10 + number, COUNTER, b"", LONG))
        (result,) = results(executor, 1)
        count, process, _niceness = result.body.split()
        counts.setdefault(process, []).append(int(count))
    # Every process has counted its own tasks, one by one.
    assert all(counted == list(range(1, len(counted) + 1)) for counted in counts.values())


@pytest.mark.timeout(300)
def test_workers_that_nobody_else_starts_again_are_started(
    executor: DaskExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after kills while they start: Dask has given them up."""
    monkeypatch.setattr("falsum.campaign.executors.cluster_connection._START_SECONDS", 1.0)
    cluster = executor.connection._cluster
    for worker in list(cluster.workers.values()):
        cluster.sync(worker.close)
    until = time.monotonic() + 2 * LONG
    seen = set()
    while time.monotonic() < until:
        assert executor.status is not None
        seen.add(executor.status.workers)
        if 0 in seen and executor.status.workers == 2:
            break
        time.sleep(0.2)
    assert seen >= {0, 2}
    executor.submit(Task(7, ECHO, b"x", LONG))
    assert [result.number for result in results(executor, 1)] == [7]


@pytest.mark.timeout(300)
def test_a_worker_that_returns_garbage_gets_no_more_tasks(
    executor: DaskExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its tasks go to the others, and none is lost."""
    monkeypatch.setattr("falsum.campaign.executors.cluster_worker.run_bundle", garbage_of_one)
    until = time.monotonic() + LONG
    while executor.idle < 2 and time.monotonic() < until:
        time.sleep(0.1)
    for number in range(2):
        executor.submit(Task(number, ECHO, b"x", LONG))
    assert sorted(result.number for result in results(executor, 2)) == [0, 1]
    assert executor.status is not None
    assert list(executor.status.refused.values()) == ["what it returns is no reply"]
    assert executor.idle == 1
    # Results name the worker they come from, so one whose outcomes cannot be read is dropped as well.
    executor.submit(Task(5, ECHO, b"x", LONG))
    (result,) = results(executor, 1)
    with pytest.raises(SurroundingsError, match="no worker of the cluster can take part: no outcome"):
        executor.distrust(result.worker, "no outcome")


@pytest.mark.timeout(300)
def test_what_a_runner_raises_is_lost_with_its_reason(executor: DaskExecutor) -> None:
    executor.submit(Task(1, RAISER, b"why", LONG))
    (result,) = results(executor, 1)
    assert "ZeroDivisionError: why" in result.lost
    executor.submit(Task(2, SLEEPER, b"", 1.0))
    (result,) = results(executor, 1)
    assert "took too long" in result.lost


@pytest.mark.timeout(300)
def test_a_task_is_run_again_when_its_worker_dies_and_nothing_outlives_it(executor: DaskExecutor) -> None:
    executor.submit(Task(1, POLLER, b"", LONG))
    mine = psutil.Process()
    until = time.monotonic() + LONG
    while not (running := _falsum_workers(mine)) and time.monotonic() < until:
        time.sleep(0.1)
    cluster_worker_process = running[0].parent()
    assert cluster_worker_process is not None
    cluster_worker_process.kill()
    psutil.wait_procs(running[:1], timeout=30)
    assert not running[0].is_running()
    until = time.monotonic() + LONG
    while not _falsum_workers(mine) and time.monotonic() < until:
        list(executor.results(0.1))
    assert executor.busy == 1
    executor.stop()
    (result,) = results(executor, 1)
    assert result.body.startswith(b"stopped after")


def _falsum_workers(mine: psutil.Process) -> list[psutil.Process]:
    """The processes that run tasks: children of the cluster's workers, which are children of this one."""
    found = []
    for process in mine.children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if process.ppid() != mine.pid and "spawn_main" in " ".join(process.cmdline()):
                found.append(process)
    return found


@pytest.mark.timeout(300)
def test_tasks_survive_a_scheduler_that_is_killed_and_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scheduler and worker are started as a cluster's own would be, by Dask's commands."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    port = _free_port()
    address = f"tcp://127.0.0.1:{port}"
    scheduler, worker = _scheduler(port), _worker(address, tmp_path)
    try:
        with closing(connect(address, {}, [])) as executor:
            executor.submit(Task(1, ECHO, b"before", LONG))
            assert [(one.number, one.body) for one in results(executor, 1)] == [(1, b"before")]
            executor.submit(Task(2, SLEEPER, b"", 3.0))
            scheduler.kill()
            scheduler.wait()
            worker.wait(60)  # workers of Dask end with their scheduler
            scheduler, worker = _scheduler(port), _worker(address, tmp_path)
            (result,) = results(executor, 1) or results(executor, 1)
            assert result.number == 2
            assert "took too long" in result.lost
            assert executor.status is not None
            assert executor.status.repeated == 1
            executor.submit(Task(3, ECHO, b"after", LONG))
            assert [(one.number, one.body) for one in results(executor, 1)] == [(3, b"after")]
    finally:
        for process in (worker, scheduler):
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def _worker(address: str, folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard",
         "--local-directory", str(folder)],
        stderr=subprocess.DEVNULL,
    )  # fmt: skip


def _scheduler(port: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port),
         "--no-dashboard"],
        stderr=subprocess.DEVNULL,
    )  # fmt: skip


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
