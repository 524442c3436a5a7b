"""Executor: runs tasks somewhere else. Tasks and results are plain bytes, so any process can run any task.

An executor knows nothing of campaigns: a task names its runner, and the worker imports it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Protocol

import msgspec

from falsum.plural import counted


class Task(msgspec.Struct, frozen=True):
    """One unit of work.

    `runner` is "package.module:Class" of the Runner that understands `body`. A worker counts as hanging after
    `seconds`, after `own` seconds in which it waits for no solver, or after `cpu` seconds of its own CPU
    time. `attachments` is content that other tasks need as well, by digest: an executor may send it to each
    machine once. With `afresh`, the runner forgets earlier tasks first.
    """

    number: int
    runner: str
    body: bytes
    seconds: float
    # 0: no limit.
    own: float = 0.0
    cpu: float = 0.0
    attachments: dict[str, bytes] = {}
    afresh: bool = False


def afresh(task: Task) -> Task:
    """The task for another try, in a runner without memory of the first."""
    return msgspec.structs.replace(task, afresh=True)


def content_digest(content: bytes) -> str:
    """The name of an attachment."""
    return hashlib.sha256(content).hexdigest()[:32]


class Loss(StrEnum):
    """Why a task has no result: its worker was ended at a limit, it was killed, or a runner raised."""

    LIMIT = "limit"
    KILLED = "killed"
    FAULT = "fault"


class TaskResult(msgspec.Struct, frozen=True):
    """The result of a task; if there is none, `lost` says why, and `loss` is the kind of loss.

    `shortage` names what the machine has run out of; the task can be run again later. `worker` of a cluster
    it came from.
    """

    number: int
    body: bytes = b""
    lost: str = ""
    shortage: str = ""
    loss: Loss = Loss.FAULT
    worker: str = ""


class Runner(Protocol):
    """Runs the tasks of one kind in a worker, and keeps there what later tasks can use."""

    def run(self, task: Task, stopping: Callable[[], bool]) -> bytes:
        """Run a task and return the body of its result; ends early when `stopping` returns true."""
        ...

    def close(self) -> None: ...


class WorkerStatus(msgspec.Struct, frozen=True):
    """The workers of a cluster: how many there are, what was lost, and which are not used and why.

    `slots` is how many tasks they run at once; `repeated` tasks were sent or run more than once.
    """

    address: str
    workers: int
    slots: int
    lost: int = 0
    repeated: int = 0
    refused: dict[str, str] = {}

    @property
    def text(self) -> str:
        parts = [f"{counted(self.workers, 'worker')}, {counted(self.slots, 'core')}"]
        if self.lost:
            parts.append(f"{counted(self.lost, 'worker')} lost")
        if self.repeated:
            parts.append(f"{counted(self.repeated, 'batch', 'batches')} repeated")
        if self.refused:
            parts.append(f"{counted(len(self.refused), 'worker')} not used")
        return "; ".join(parts)


class Executor(Protocol):
    """A number of workers, each with one task at a time.

    A worker that dies or hangs is replaced, and its task comes back as lost.
    """

    @property
    def status(self) -> WorkerStatus | None:
        """The status of the workers of a cluster; None for processes on this machine."""
        ...

    @property
    def idle(self) -> int:
        """How many tasks can be submitted now."""
        ...

    @property
    def busy(self) -> int:
        """The number of tasks that are running."""
        ...

    def submit(self, task: Task) -> None: ...

    def lane(self, name: str, share: float) -> Executor:
        """Another executor on the same machines, for tasks beside those of this one: a small share."""
        ...

    def results(self, seconds: float) -> Iterator[TaskResult]:
        """The results that arrive within these seconds; returns early when there are some."""
        ...

    def distrust(self, worker: str, why: str) -> None:
        """Give no more tasks to a cluster worker that returns invalid results."""
        ...

    def stop(self) -> None:
        """Ask all workers to end their tasks early; nothing can be submitted afterwards.

        Tasks lost after this are not reported: they were never recorded, and a resumed campaign runs them
        again.
        """
        ...

    def close(self, grace: float = 2.0) -> None:
        """End all workers; those that do not end within `grace` seconds are killed."""
        ...
