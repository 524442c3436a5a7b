"""Engine: a pool of worker processes that run batches; none outlives this process, a lost one is replaced."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Final, Self

import msgspec
import psutil

from falsum import plugins
from falsum.campaign.fuzz import batch as batches
from falsum.campaign.fuzz.batch import Batch, Outcome
from falsum.campaign.fuzz.worker_state import Workplace

_PR_SET_PDEATHSIG: Final = 1
# A worker that has grown so large, or has run so many batches, makes room for a new one: so what seeds of
# all kinds leave behind in caches and between live objects never adds up.
_RESIDENT_BYTES: Final = 1 << 30
_MOST_BATCHES: Final = 600
# A batch ends by itself; one that takes so much longer hangs in our own code.
_PATIENCE: Final = 120.0
_NOTHING: Final = b""


@dataclass(slots=True)
class _Worker:
    process: SpawnProcess
    channel: Connection
    batch: Batch | None = None
    since: float = 0.0
    done: int = 0

    @property
    def is_worn(self) -> bool:
        if self.done >= _MOST_BATCHES:
            return True
        try:
            return bool(psutil.Process(self.process.pid).memory_info().rss > _RESIDENT_BYTES)
        except psutil.Error:  # it is gone, which its channel will tell
            return False

    @property
    def overdue(self) -> bool:
        if self.batch is None:
            return False
        return time.monotonic() - self.since > self.batch.seconds + 30 * self.batch.timeout + _PATIENCE


class Pool:
    """Workers that each run one batch at a time. Batches and outcomes travel as bytes."""

    def __init__(self, jobs: int) -> None:
        # Not fork: a worker must not inherit terminals, databases and half-written buffers.
        self._context = multiprocessing.get_context("spawn")
        self._workers = [self._hired() for _ in range(jobs)]
        self._stopping = False

    @property
    def idle(self) -> int:
        return sum(worker.batch is None for worker in self._workers)

    @property
    def busy(self) -> int:
        return len(self._workers) - self.idle

    @property
    def processes(self) -> list[int]:
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    def submit(self, batch: Batch) -> None:
        """Give a batch to a worker that has none."""
        message = msgspec.msgpack.encode(batch)
        for place, worker in enumerate(self._workers):
            if worker.batch is not None:
                continue
            try:
                worker.channel.send_bytes(message)
            except OSError:  # it went while it was idle: nothing is lost
                worker = self._workers[place] = self._replaced(worker)  # noqa: PLW2901
                worker.channel.send_bytes(message)
            worker.batch, worker.since = batch, time.monotonic()
            return
        raise AssertionError("no worker is idle")

    def outcomes(self, seconds: float) -> Iterator[Outcome]:
        """What came in within so many seconds; a batch whose worker is gone comes as lost."""
        channels = {
            worker.channel: place
            for place, worker in enumerate(self._workers)
            if worker.batch is not None or not self._stopping
        }
        for ready in wait(list(channels), seconds):
            assert isinstance(ready, Connection)
            place = channels[ready]
            outcome = self._received(place)
            if outcome is not None:
                yield outcome
        for place, worker in enumerate(self._workers):
            if worker.overdue:
                worker.process.kill()
                yield from self._bereaved(place, "the batch took too long and its worker was ended")

    def stop(self) -> None:
        """Ask every worker to come to an end; batches under way end after the mutant at hand."""
        self._stopping = True
        for worker in self._workers:
            with suppress(OSError):
                worker.channel.send_bytes(_NOTHING)

    def close(self, grace: float = 2.0) -> None:
        """End all workers, by force those that do not go by themselves."""
        if not self._stopping:
            self.stop()
        until = time.monotonic() + grace
        for worker in self._workers:
            worker.process.join(max(0.0, until - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.channel.close()

    def _received(self, place: int) -> Outcome | None:
        worker = self._workers[place]
        try:
            message = worker.channel.recv_bytes()
        except (EOFError, OSError):
            worker.process.join(5)
            code = worker.process.exitcode
            return next(self._bereaved(place, f"the worker ended with status {code}"), None)
        worker.batch = None
        worker.done += 1
        if worker.is_worn and not self._stopping:
            with suppress(OSError):
                worker.channel.send_bytes(_NOTHING)
            self._workers[place] = self._replaced(worker)
        return msgspec.msgpack.decode(message, type=Outcome)

    def _bereaved(self, place: int, why: str) -> Iterator[Outcome]:
        worker = self._workers[place]
        if self._stopping:
            # Not recorded, so not lost: it will be run again when the campaign goes on.
            worker.batch = None
            return
        self._workers[place] = self._replaced(worker)
        if worker.batch is not None:
            yield batches.lost(worker.batch, why)

    def _replaced(self, worker: _Worker) -> _Worker:
        worker.process.join(5)
        worker.channel.close()
        return self._hired()

    def _hired(self) -> _Worker:
        mine, theirs = self._context.Pipe()
        process = self._context.Process(
            target=work, args=(theirs, os.getpid(), plugins.files()), name="falsum-worker"
        )
        process.start()
        theirs.close()
        return _Worker(process, mine)


def work(channel: Connection, parent: int, plugin_files: tuple[str, ...]) -> None:
    """A worker's life: batch after batch, until it is told to go or nobody is there any more."""
    if not bound_to(parent):
        return
    plugins.inherit(plugin_files)
    places: dict[tuple[tuple[str, ...], float, int], Workplace] = {}
    try:
        while (message := channel.recv_bytes()) != _NOTHING:
            given = msgspec.msgpack.decode(message, type=Batch)
            key = (given.solvers, given.timeout, given.memory)
            if key not in places:
                places[key] = Workplace.of(*key)
            outcome = batches.run(given, places[key], channel.poll)
            channel.send_bytes(msgspec.msgpack.encode(outcome))
    except (EOFError, OSError):
        pass  # the engine is gone
    finally:
        for place in places.values():
            place.close()


def bound_to(parent: int) -> bool:
    """Make this process end with the one that started it; False if that is gone already."""
    # Ctrl-C reaches the whole group of processes; only the first one decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    return os.getppid() == parent


class Interruptions:
    """Counts SIGINT and SIGTERM while it is entered; the third one is no longer held back."""

    def __init__(self) -> None:
        self.count = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_exception: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, _number: int, _frame: object) -> None:
        self.count += 1
        if self.count > 2:
            raise KeyboardInterrupt
