"""The load of a campaign's coordinator with many workers, all of them simulated in one other process.

Scheduler, messages, schedule and store are real; a batch only sleeps. Prints what the coordinator does with
its CPU time, and how large bundles have become, for each number of workers.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import distributed
import psutil
from bench.cluster import dask_commands
from bench.command import command_parser

from falsum.campaign.campaign import CampaignRun
from falsum.campaign.executors.bundle_size import BundleSize
from falsum.campaign.executors.cluster_connection import ClusterConnection
from falsum.campaign.executors.cluster_setup import SetupContents
from falsum.campaign.executors.dask import DaskExecutor
from falsum.campaign.executors.executor import Loss, Task
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.fuzz.preparation import prepare
from falsum.campaign.fuzz.workload import FuzzWorkload
from falsum.campaign.outcome import BatchOutcome
from falsum.campaign.progress import PlainWatcher, State, Status
from falsum.campaign.search.schedule import EVEN
from falsum.store.store import Store

ROOT: Final = Path(__file__).parents[2]
# The share of the time in which bundles find their size; it is not counted.
RAMP: Final = 0.5
# Looking takes time itself, which is the coordinator's.
LOOK_SECONDS: Final = 1.0


def parser() -> argparse.ArgumentParser:
    parsed = command_parser("bench.cluster.scale", __doc__)
    parsed.add_argument(
        "workers", type=int, nargs="*", default=[200, 1000], metavar="WORKERS", help="default: 200 and 1,000"
    )
    parsed.add_argument(
        "--batch-seconds", type=float, default=1.5, metavar="S", help="time of a batch (default 1.5)"
    )
    parsed.add_argument("--seconds", type=float, default=90.0, metavar="S", help="time of a run (default 90)")
    parsed.add_argument(
        "--bundle",
        type=int,
        metavar="N",
        help="batches in a message (default: as busy as the coordinator is)",
    )
    return parsed


class FixedSize(BundleSize):
    """Bundles that stay as large as they are."""

    def __init__(self, size: int) -> None:
        super().__init__(0.0, 0.0)
        self.size = size

    def look(self, now: float, cpu: float) -> None:
        pass


class WatchedWorkload:
    """Notes CPU time when the ramp is over, and at the end."""

    def __init__(self, inner: FuzzWorkload, seconds: float, executor: DaskExecutor, scheduler: int) -> None:
        self.inner = inner
        self.plan = inner.plan
        self._executor = executor
        self._scheduler = psutil.Process(scheduler)
        self._ramp = time.monotonic() + RAMP * seconds
        self.done = 0
        self.start: tuple[float, float, float, int, int] | None = None
        self.end = self._now()
        self.sizes: set[int] = set()

    def _now(self) -> tuple[float, float, float, int, int]:
        connection = self._executor.connection
        scheduler = sum(self._scheduler.cpu_times()[:2])
        sent = connection.sent_bytes + connection.received_bytes
        return time.monotonic(), time.process_time(), scheduler, self.done, sent

    is_complete = False
    max_empty_batches = 1 << 30

    def next(self, elapsed: float, jobs: int) -> Task | None:
        return self.inner.next(elapsed, jobs)

    def lost(self, number: int, why: str, loss: Loss) -> BatchOutcome:
        return self.inner.lost(number, why, loss)

    def take(self, outcome: BatchOutcome) -> None:
        self.inner.take(outcome)
        self.done += 1
        if time.monotonic() > max(self._ramp, self.end[0] + LOOK_SECONDS):
            self.end = self._now()
            self.start = self.start or self.end
            self.sizes.add(self._executor.bundle_size)

    def grace(self, *, interrupted: bool) -> float:
        del interrupted
        return 1.0

    def state(self, status: Status) -> State:
        return self.inner.state(status)


def main() -> None:
    args = parser().parse_args()
    for number in args.workers:
        print(simulated(number, args.batch_seconds, args.seconds, args.bundle), flush=True)


def simulated(number: int, batch_seconds: float, seconds: float, bundle: int | None) -> str:
    with tempfile.TemporaryDirectory() as name:
        port = dask_commands.free_port()
        address = f"tcp://127.0.0.1:{port}"
        scheduler = dask_commands.scheduler(port, Path(name))
        fakes = subprocess.Popen(
            [sys.executable, "-m", "bench.cluster.fake_workers", address, str(number), str(batch_seconds)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env={**os.environ, "TMPDIR": name},
        )
        try:
            assert fakes.stdout is not None
            assert fakes.stdout.readline() == b"ready\n"
            client = distributed.Client(address, set_as_default=False)
            executor = DaskExecutor(ClusterConnection(client, SetupContents.of("scale", [])))
            if bundle is not None:
                executor._size = FixedSize(bundle)  # noqa: SLF001
            return run(executor, number, batch_seconds, seconds, Path(name, "out"), scheduler.pid)
        finally:
            fakes.kill()
            scheduler.kill()
            fakes.wait()
            scheduler.wait()


def run(
    executor: DaskExecutor, number: int, batch_seconds: float, seconds: float, out: Path, scheduler: int
) -> str:
    plan = FuzzPlan(
        seeds=(), solvers=("z3",), strategies=("opfuzz", "typefuzz"), rng=1, timeout=10.0, memory=1024,
        seconds=seconds, schedule=EVEN, engines=False,
    )  # fmt: skip
    watcher = PlainWatcher(sys.stderr)
    with Store(out) as store:
        campaign, inner = prepare(plan).begin(store, watcher)
        workload = WatchedWorkload(inner, seconds, executor, scheduler)
        CampaignRun(workload, store, campaign, watcher).run(executor)
    assert workload.start is not None
    elapsed, own, theirs, done, sent = (b - a for a, b in zip(workload.start, workload.end, strict=True))
    wanted = number / batch_seconds
    return (
        f"{number} workers, {batch_seconds:g} s a batch: {done / elapsed:.0f} batches/s of {wanted:.0f}; "
        f"coordinator {own / elapsed:.0%} of a core ({1000 * own / done:.2f} ms a batch), "
        f"scheduler {theirs / elapsed:.0%}; {sent / done:.0f} bytes a batch; "
        f"bundles of {min(workload.sizes)} to {max(workload.sizes)}"
    )


if __name__ == "__main__":
    main()
