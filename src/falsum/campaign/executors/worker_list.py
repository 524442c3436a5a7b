"""The workers of a cluster as they report themselves, and notes on those that are gone."""

from __future__ import annotations

from typing import Any

import msgspec

from falsum.campaign.executors import cluster_worker
from falsum.campaign.executors.clusters import connected_client
from falsum.campaign.executors.messages import TOPIC, WorkerReport


class ListedWorker(msgspec.Struct, frozen=True):
    """A worker: `slots` is the number of tasks it runs at a time, 0 if it is gone; `done` counts
    its tasks.
    """

    address: str
    host: str = ""
    slots: int = 0
    running: int = 0
    done: int = 0
    release: str = ""
    error: str = ""

    @property
    def is_there(self) -> bool:
        return self.slots > 0


def listed_workers(address: str) -> list[ListedWorker]:
    """The workers of the scheduler at an address, then those that are gone."""
    client = connected_client(address)
    try:
        slots: dict[str, int] = client.nthreads()
        reports: dict[str, Any] = client.run(cluster_worker.report, on_error="return")
        noted = _noted(client)
    finally:
        client.close()
    there = [_listed(worker, count, reports.get(worker), noted) for worker, count in sorted(slots.items())]
    return there + [ListedWorker(worker, error=noted[worker]) for worker in noted if worker not in slots]


def _listed(address: str, slots: int, entry: Any, noted: dict[str, str]) -> ListedWorker:
    if not isinstance(entry, bytes):  # falsum is not installed there, or another release
        error = f"{type(entry).__name__}: {entry}" if entry is not None else "it does not answer"
        return ListedWorker(address, slots=slots, error=error)
    report = msgspec.msgpack.decode(entry, type=WorkerReport)
    error = report.error or noted.get(address, "")
    return ListedWorker(address, report.host, slots, report.running, report.done, report.release, error)


def _noted(client: Any) -> dict[str, str]:
    """The last note of campaigns about each worker, the latest at the end."""
    notes: dict[str, str] = {}
    for _time, event in client.get_events(TOPIC):
        notes.pop(event["worker"], None)
        notes[event["worker"]] = event["error"]
    return notes
