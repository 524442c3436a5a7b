"""Many workers of Dask in one process; batches take a given time and find nothing.

Started by `bench.cluster.scale`: `python -m bench.cluster.fake_workers ADDRESS NUMBER SECONDS`.
"""

from __future__ import annotations

import asyncio
import sys

import dask
import distributed
import msgspec

from falsum.campaign.executors import cluster_worker, clusters
from falsum.campaign.executors.executor import TaskResult
from falsum.campaign.executors.messages import Bundle, BundleReply
from falsum.campaign.fuzz.batch import Batch
from falsum.campaign.outcome import DONE, BatchOutcome
from falsum.campaign.tally import FuzzTally
from falsum.store.records import MeasureRecord, SeedRecord

_seconds = 1.5


async def fake_bundle(message: bytes, worker: str = "") -> bytes:
    """Stands for `cluster_worker.run_bundle`: sleeps instead of working, and without a thread."""
    bundle = msgspec.msgpack.decode(message, type=Bundle)
    await asyncio.sleep(_seconds * len(bundle.tasks))
    results = []
    for task in bundle.tasks:
        batch = msgspec.msgpack.decode(task.body, type=Batch)
        tally = FuzzTally(
            mutants=20, decided=20, solver_cpu=1.0, said={name: {"sat": 20} for name in batch.plan.solvers}
        )
        seeds = tuple(
            SeedRecord(seed.digest, seed.name, "", (MeasureRecord("z3=1", 0.01, ("sat",), "finished"),))
            for seed in batch.seeds
            if not seed.is_profiled
        )
        outcome = msgspec.msgpack.encode(BatchOutcome(batch.record(tally, DONE), seeds=seeds))
        results.append(TaskResult(task.number, outcome))
    address = worker or str(distributed.get_worker().address)
    return msgspec.msgpack.encode(BundleReply(address, tuple(results)))


async def serve(address: str, number: int) -> None:
    workers = [
        distributed.Worker(address, nthreads=1, memory_limit=0, dashboard=False, heartbeat_interval="10s")
        for _ in range(number)
    ]
    for start in range(0, number, 20):
        await asyncio.gather(*workers[start : start + 20])
    print("ready", flush=True)
    await asyncio.gather(*(worker.finished() for worker in workers))


def main() -> None:
    global _seconds
    clusters.dask()  # for its settings
    # A thousand workers in one process: each would count the open files of all, and wake up by itself.
    dask.config.set(
        {"distributed.admin.system-monitor.interval": "1h", "distributed.admin.tick.interval": "1h"}
    )
    address, number, _seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    setattr(cluster_worker, "run_bundle", fake_bundle)  # noqa: B010 - Dask takes coroutines as well
    asyncio.run(serve(address, number))


if __name__ == "__main__":
    main()
