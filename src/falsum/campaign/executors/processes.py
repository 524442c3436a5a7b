"""ProcessPool: an executor of worker processes on this machine; none outlives this process."""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import pkgutil
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Final, Self

import msgspec
import psutil

from falsum import plugins
from falsum.campaign.executors.executor import Loss, Runner, Task, TaskResult, WorkerStatus
from falsum.errors import is_accident, shortage_in
from falsum.solvers.builds import relocation
from falsum.solvers.limits import limit_own_memory, limit_own_time

_PR_SET_PDEATHSIG: Final = 1
# Workers are replaced at this size and after this many tasks, so that caches and fragments never add up.
_MAX_RESIDENT_BYTES: Final = 1 << 30
_MAX_TASKS: Final = 600
# Memory a worker may allocate; what it starts has limits of its own.
_MAX_ALLOCATED_BYTES: Final = 3 << 30
_STOP: Final = b""
_LANE_NICENESS: Final = 5
# A worker with a task that is found stopped at so many looks in a row is killed; so is one that is to end.
_MAX_STOPPED_LOOKS: Final = 10
_STOPPED_LOOK_SECONDS: Final = 1.0
# Timers of ours end a worker by these.
_STOPPED: Final = frozenset({psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP})
_LIMIT_SIGNALS: Final = (signal.SIGPROF, signal.SIGALRM)
_OUT_OF_MEMORY: Final = "the task took more memory than a worker may have"


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What a worker process gets from its parent."""

    niceness: int
    plugin_files: tuple[str, ...]
    relocations: dict[str, str]


@dataclass(slots=True, eq=False)
class _Worker:
    process: SpawnProcess
    channel: Connection
    task: Task | None = None
    since: float = 0.0
    tasks_done: int = 0
    stopped_looks: int = 0

    @property
    def is_used_up(self) -> bool:
        if self.tasks_done >= _MAX_TASKS:
            return True
        try:
            return bool(psutil.Process(self.process.pid).memory_info().rss > _MAX_RESIDENT_BYTES)
        except psutil.Error:  # it has died, which its channel will tell
            return False

    @property
    def is_hanging(self) -> bool:
        return self.task is not None and time.monotonic() - self.since > self.task.seconds

    def look(self) -> None:
        """Note whether the process was stopped by SIGSTOP or in a debugger."""
        is_stopped = False
        with suppress(psutil.Error):
            is_stopped = psutil.Process(self.process.pid).status() in _STOPPED
        self.stopped_looks = self.stopped_looks + 1 if is_stopped else 0


class ProcessPool:
    """At most `jobs` worker processes, started when there is something to do, at a niceness of their own.

    They have the plug-in files of this process, unless others are given.
    """

    def __init__(
        self,
        jobs: int,
        niceness: int = 0,
        plugin_files: tuple[str, ...] | None = None,
        relocations: relocation.Relocations | None = None,
    ) -> None:
        # Not fork: a worker must not inherit terminals, databases and half-written buffers.
        self._context = multiprocessing.get_context("spawn")
        self._jobs = jobs
        files = plugins.files() if plugin_files is None else plugin_files
        self._surroundings = _Surroundings(niceness, files, dict(relocations or {}))
        self._workers: list[_Worker] = []
        self._leaving: list[SpawnProcess] = []
        self._is_stopping = False
        self._next_look = 0.0

    @property
    def status(self) -> WorkerStatus | None:
        return None

    @property
    def idle(self) -> int:
        return 0 if self._is_stopping else self._jobs - self.busy

    @property
    def busy(self) -> int:
        return sum(worker.task is not None for worker in self._workers)

    @property
    def processes(self) -> list[int]:
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    def submit(self, task: Task) -> None:
        assert self.idle, "no worker is idle"
        message = msgspec.msgpack.encode(task)
        for worker in [worker for worker in self._workers if worker.task is None]:
            try:
                worker.channel.send_bytes(message)
            except OSError:  # it died while it was idle: nothing is lost
                self._remove(worker)
                continue
            worker.task, worker.since = task, time.monotonic()
            return
        worker = self._start()
        worker.channel.send_bytes(message)
        worker.task, worker.since = task, time.monotonic()

    def lane(self, name: str, share: float) -> ProcessPool:
        """A single-process executor at lower priority."""
        del name, share
        return ProcessPool(1, _LANE_NICENESS)

    def results(self, seconds: float) -> Iterator[TaskResult]:
        channels = {
            worker.channel: worker for worker in self._workers if worker.task or not self._is_stopping
        }
        for ready in wait(list(channels), seconds):
            assert isinstance(ready, Connection)
            yield from self._receive(channels[ready])
        for worker in [worker for worker in self._workers if worker.is_hanging]:
            worker.process.kill()
            yield from self._lost(worker, "the task took too long and its worker was killed", Loss.LIMIT)
        yield from self._end_stopped()
        self._leaving = [process for process in self._leaving if process.is_alive()]

    def distrust(self, worker: str, why: str) -> None:
        """Do nothing: the workers are processes of this executor."""

    def stop(self) -> None:
        self._is_stopping = True
        for worker in self._workers:
            with suppress(OSError):
                worker.channel.send_bytes(_STOP)

    def close(self, grace: float = 2.0) -> None:
        if not self._is_stopping:
            self.stop()
        until = time.monotonic() + grace
        for process in (*self._leaving, *(worker.process for worker in self._workers)):
            process.join(max(0.0, until - time.monotonic()))
            if process.is_alive():
                process.kill()
                process.join()
        for worker in self._workers:
            worker.channel.close()
        self._workers.clear()
        self._leaving.clear()

    def _receive(self, worker: _Worker) -> Iterator[TaskResult]:
        try:
            message = worker.channel.recv_bytes()
        except (EOFError, OSError):
            worker.process.join(5)
            status = worker.process.exitcode
            is_limit = status is not None and -status in _LIMIT_SIGNALS
            yield from self._lost(worker, _why_ended(status), Loss.LIMIT if is_limit else Loss.KILLED)
            return
        worker.task = None
        worker.tasks_done += 1
        if worker.is_used_up and not self._is_stopping:
            with suppress(OSError):
                worker.channel.send_bytes(_STOP)
            self._remove(worker)
        yield msgspec.msgpack.decode(message, type=TaskResult)

    def _lost(self, worker: _Worker, why: str, loss: Loss) -> Iterator[TaskResult]:
        self._remove(worker)
        if worker.task is not None and not self._is_stopping:
            yield TaskResult(worker.task.number, lost=why, loss=loss)

    def _end_stopped(self) -> Iterator[TaskResult]:
        """Kill workers that were stopped from outside, because all others would wait for them."""
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + _STOPPED_LOOK_SECONDS
        most = 1 if self._is_stopping else _MAX_STOPPED_LOOKS
        for worker in [worker for worker in self._workers if worker.task is not None]:
            worker.look()
            if worker.stopped_looks >= most:
                worker.process.kill()
                yield from self._lost(worker, "the worker was stopped, and killed for it", Loss.KILLED)

    def _remove(self, worker: _Worker) -> None:
        """Remove a worker; the next task without an idle worker starts another one."""
        if worker in self._workers:
            self._workers.remove(worker)
            self._leaving.append(worker.process)
            worker.channel.close()

    def _start(self) -> _Worker:
        mine, theirs = self._context.Pipe()
        arguments = (theirs, os.getpid(), self._surroundings)
        process = self._context.Process(target=work, args=arguments, name="falsum-worker", daemon=True)
        try:
            process.start()
        except BaseException:
            mine.close()
            raise
        finally:
            theirs.close()
        worker = _Worker(process, mine)
        self._workers.append(worker)
        return worker


def work(channel: Connection, parent: int, surroundings: _Surroundings) -> None:
    """Worker main loop: runs tasks until told to stop or the parent is gone."""
    if not _die_with(parent):
        return
    os.nice(surroundings.niceness)
    limit_own_memory(_MAX_ALLOCATED_BYTES)
    collect_garbage_rarely()
    plugins.inherit(surroundings.plugin_files)
    relocation.inherit(surroundings.relocations)
    with _Runners() as runners, suppress(EOFError, OSError):  # the parent is gone
        while (message := channel.recv_bytes()) != _STOP:
            task = msgspec.msgpack.decode(message, type=Task)
            # The kernel ends the process then, whatever it is busy with.
            signal.setitimer(signal.ITIMER_PROF, task.cpu)
            limit_own_time(task.own)
            is_out_of_memory = False
            try:
                if task.afresh:
                    runners.drop(task.runner)
                result = TaskResult(task.number, runners.named(task.runner).run(task, channel.poll))
            except MemoryError:
                is_out_of_memory = True
                result = TaskResult(task.number, lost=_OUT_OF_MEMORY, loss=Loss.LIMIT)
            except Exception as error:  # noqa: BLE001 - a fault of ours with one task must not keep others waiting
                fault = traceback.format_exc(limit=-12)
                loss = Loss.KILLED if is_accident(error) else Loss.FAULT
                result = TaskResult(task.number, lost=fault, shortage=shortage_in(error), loss=loss)
            signal.setitimer(signal.ITIMER_PROF, 0)
            limit_own_time(0)
            channel.send_bytes(msgspec.msgpack.encode(result))
            if is_out_of_memory:  # whatever was half made then, nobody goes on with it
                break


class _Runners:
    """The runners of a worker, by name; each is imported when the first task needs it."""

    def __init__(self) -> None:
        self._runners: dict[str, Runner] = {}

    def named(self, name: str) -> Runner:
        if name not in self._runners:
            self._runners[name] = pkgutil.resolve_name(name)()
        return self._runners[name]

    def drop(self, name: str) -> None:
        if (runner := self._runners.pop(name, None)) is not None:
            runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        for name in list(self._runners):
            self.drop(name)


def collect_garbage_rarely() -> None:
    """Run the garbage collector rarely: terms have no cycles, and frequent runs take a tenth of the
    CPU time.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _why_ended(status: int | None) -> str:
    if status == -signal.SIGPROF:
        return "the task took too much CPU time and its worker was ended"
    if status == -signal.SIGALRM:
        return "the task took too long, not counting solvers, and its worker was ended"
    return f"the worker ended with status {status}"


def _die_with(parent: int) -> bool:
    """Make this process end with its parent; False if the parent is gone already."""
    # Ctrl-C and a closed terminal reach all processes of a group; the first one decides what that means.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    return os.getppid() == parent
