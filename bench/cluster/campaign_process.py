"""Runs a number of batches in a process of its own, and measures CPU time and bytes, for the commands here.

`python -m bench.cluster.campaign_process` reads a job from its standard input and prints the result.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import msgspec
import psutil

from falsum.campaign.campaign import CampaignRun
from falsum.campaign.executors.clusters import connect
from falsum.campaign.executors.executor import Executor, Loss, Task
from falsum.campaign.executors.processes import ProcessPool
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.fuzz.preparation import prepare
from falsum.campaign.fuzz.workload import FuzzWorkload
from falsum.campaign.outcome import BatchOutcome
from falsum.campaign.progress import PlainWatcher, State, Status
from falsum.campaign.search.schedule import EVEN
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store.store import Store

ROOT: Final = Path(__file__).parents[2]


class Job(msgspec.Struct, frozen=True):
    """`where` is `pool:N` or the address of a cluster; CPU time is counted after the first `warm` batches."""

    where: str
    batches: int
    out: str
    solvers: tuple[str, ...]
    strategies: tuple[str, ...]
    per_visit: int = 20
    least: float = 5.0
    warm: int = 0
    rng: int = 1
    seeds: tuple[str, ...] = ()


class Measured(msgspec.Struct, frozen=True):
    """CPU seconds for `counted` batches, and bytes for all of them.

    `cpu` is that of all processes. On a cluster, `worker_cpu` is that of Dask's own workers, which only pass
    on what the processes below them do.
    """

    counted: int
    mutants: int
    cpu: float
    coordinator_cpu: float
    elapsed: float
    worker_cpu: float = 0.0
    sent: int = 0
    received: int = 0


def measure(job: Job, known: Path | None = None) -> Measured:
    """Run a job in a process of its own; `known` is a store with what is known of the seeds."""
    if known is not None:
        shutil.copytree(known, job.out)
    done = subprocess.run(
        [sys.executable, "-m", "bench.cluster.campaign_process"],
        input=msgspec.json.encode(job),
        stdout=subprocess.PIPE,
        cwd=ROOT,
        check=True,
    )
    return msgspec.json.decode(done.stdout, type=Measured)


class CappedWorkload:
    """The first so many numbers of a campaign, whatever happens in time."""

    def __init__(self, inner: FuzzWorkload, batches: int, warm: int, executor: Executor) -> None:
        self.inner = inner
        self.plan = inner.plan
        self._batches = batches
        self._warm = warm
        self._done = 0
        self._is_over = False
        self._executor = executor
        self.start = Usage.now(self) if not warm else None
        self.end: Usage | None = None

    @property
    def is_complete(self) -> bool:
        if self._is_over and not self._executor.busy and self.end is None:
            self.end = Usage.now(self)
        return self.end is not None

    @property
    def max_empty_batches(self) -> int:
        return self._batches

    def next(self, elapsed: float, jobs: int) -> Task | None:
        if self._is_over:
            return None
        task = self.inner.next(elapsed, jobs)
        if task is None or task.number >= self._batches:
            self._is_over = True
            return None
        return task

    def lost(self, number: int, why: str, loss: Loss) -> BatchOutcome:
        return self.inner.lost(number, why, loss)

    def take(self, outcome: BatchOutcome) -> None:
        self.inner.take(outcome)
        self._done += 1
        if self._done == self._warm:
            self.start = Usage.now(self)

    def grace(self, *, interrupted: bool) -> float:
        return self.inner.grace(interrupted=interrupted)

    def state(self, status: Status) -> State:
        return self.inner.state(status)

    @property
    def done(self) -> int:
        return self._done


class Usage(msgspec.Struct, frozen=True):
    """CPU time so far, of this process, its children alone and all, and how many batches were done."""

    done: int
    mutants: int
    own: float
    children: float
    all: float
    at: float

    @classmethod
    def now(cls, workload: CappedWorkload) -> Usage:
        return cls(
            getattr(workload, "_done", 0),
            workload.inner.mutants,
            time.process_time(),
            sum(_cpu(child, 2) for child in psutil.Process().children()),
            tree_cpu(),
            time.monotonic(),
        )


def tree_cpu() -> float:
    """CPU seconds of this process and everything below it, with what has ended there."""
    me = psutil.Process()
    return sum(_cpu(process, 4) for process in (me, *me.children(recursive=True)))


def _cpu(process: psutil.Process, fields: int) -> float:
    """User and system time; with four fields also of children that have ended."""
    try:
        return float(sum(process.cpu_times()[:fields]))
    except psutil.NoSuchProcess:  # its parent counts it from now on
        return 0.0


def main() -> None:
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
    plan = FuzzPlan(
        seeds=job.seeds, solvers=job.solvers, strategies=job.strategies, rng=job.rng, timeout=10.0,
        memory=1024, per_visit=job.per_visit, least=job.least, schedule=EVEN, engines=False,
    )  # fmt: skip
    executor = executor_of(job)
    watcher = PlainWatcher(sys.stderr)
    with Store(Path(job.out)) as store:
        number, inner = prepare(plan).begin(store, watcher)
        workload = CappedWorkload(inner, job.batches, job.warm, executor)
        CampaignRun(workload, store, number, watcher).run(executor)
    print(msgspec.json.encode(result(workload, executor)).decode())


def executor_of(job: Job) -> Executor:
    kind, _, number = job.where.partition(":")
    if kind == "pool":
        return ProcessPool(int(number))
    return connect(job.where, {}, [resolve(name, Zoo()) for name in job.solvers])


def result(workload: CappedWorkload, executor: Executor) -> Measured:
    start, end = workload.start, workload.end
    assert start is not None
    assert end is not None
    connection = getattr(executor, "connection", None)
    return Measured(
        end.done - start.done,
        end.mutants - start.mutants,
        end.all - start.all,
        end.own - start.own,
        end.at - start.at,
        end.children - start.children if connection else 0.0,
        connection.sent_bytes if connection else 0,
        connection.received_bytes if connection else 0,
    )


if __name__ == "__main__":
    main()
