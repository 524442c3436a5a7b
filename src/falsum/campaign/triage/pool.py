"""Triager: processes that triage findings beside a campaign or by hand, behind whatever else is running."""

from __future__ import annotations

import multiprocessing
import os
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Final, Self

import msgspec

from falsum import plugins
from falsum.campaign.executors.processes import bound_to
from falsum.campaign.triage.job import Order
from falsum.campaign.triage.steps import triage
from falsum.errors import FalsumError

_NICENESS: Final = 5
# A triage keeps to its time but for the question at hand; one that takes so much longer hangs.
_PATIENCE: Final = 120.0


class Done(msgspec.Struct, frozen=True):
    """A finding whose triage has ended: `error` says why there is none, or nothing."""

    home: str
    error: str = ""


@dataclass(slots=True)
class _Worker:
    process: SpawnProcess
    channel: Connection
    order: Order | None = None
    since: float = 0.0

    @property
    def is_overdue(self) -> bool:
        return self.order is not None and time.monotonic() - self.since > 2 * self.order.seconds + _PATIENCE


class Triagers:
    """A few processes, each with one finding at a time. They are started when there is something to do."""

    def __init__(self, jobs: int) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._jobs = jobs
        self._workers: list[_Worker] = []

    @property
    def busy(self) -> int:
        return sum(worker.order is not None for worker in self._workers)

    def submit(self, order: Order) -> bool:
        """Give a finding to somebody; False if everybody has one."""
        worker = next((worker for worker in self._workers if worker.order is None), None)
        if worker is None:
            if len(self._workers) >= self._jobs:
                return False
            worker = self._hired()
            self._workers.append(worker)
        worker.order, worker.since = order, time.monotonic()
        with suppress(OSError):  # whoever is gone is noticed in `done`
            worker.channel.send_bytes(msgspec.msgpack.encode(order))
        return True

    def done(self, seconds: float) -> Iterator[Done]:
        """What ended within so many seconds."""
        at_work = {worker.channel: worker for worker in self._workers if worker.order is not None}
        for ready in wait(list(at_work), seconds):
            assert isinstance(ready, Connection)
            worker = at_work[ready]
            assert worker.order is not None
            try:
                yield msgspec.msgpack.decode(worker.channel.recv_bytes(), type=Done)
                worker.order = None
            except (EOFError, OSError):
                worker.process.join(5)
                yield self._lost(worker, f"the process ended with status {worker.process.exitcode}")
        for worker in [one for one in self._workers if one.is_overdue]:
            yield self._lost(worker, "it took too long")

    def run(self, orders: Iterable[Order]) -> Iterator[Done]:
        """All of these, as they end."""
        waiting = list(orders)[::-1]
        while waiting or self.busy:
            while waiting and self.submit(waiting[-1]):
                waiting.pop()
            yield from self.done(0.5)

    def close(self) -> None:
        """End everybody at once: what is under way has its finished steps in its folder."""
        for worker in self._workers:
            self._end(worker)
        self._workers.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _lost(self, worker: _Worker, why: str) -> Done:
        assert worker.order is not None
        home = worker.order.home
        self._end(worker)
        self._workers.remove(worker)
        return Done(home, why)

    def _end(self, worker: _Worker) -> None:
        worker.process.kill()
        worker.process.join()
        worker.channel.close()

    def _hired(self) -> _Worker:
        mine, theirs = self._context.Pipe()
        process = self._context.Process(
            target=work, args=(theirs, os.getpid(), plugins.files()), name="falsum-triager", daemon=True
        )
        process.start()
        theirs.close()
        return _Worker(process, mine)


def work(channel: Connection, parent: int, plugin_files: tuple[str, ...]) -> None:
    """A triager's life: finding after finding, until nobody is there any more."""
    if not bound_to(parent):
        return
    plugins.inherit(plugin_files)
    os.nice(_NICENESS)
    with suppress(EOFError, OSError):  # whoever started us is gone
        while True:
            order = msgspec.msgpack.decode(channel.recv_bytes(), type=Order)
            channel.send_bytes(msgspec.msgpack.encode(Done(order.home, _attempted(order))))


def _attempted(order: Order) -> str:
    try:
        triage(order)
    except FalsumError as error:
        return str(error)
    except Exception:  # noqa: BLE001 - a fault of ours with one finding must not keep others waiting
        return traceback.format_exc(limit=-8)
    return ""
