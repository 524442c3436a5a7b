"""Executor: runs tasks somewhere else. Tasks and results are plain bytes, so any process can run any task.

An executor knows nothing of campaigns: a task names its runner, and the worker imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import msgspec


class Task(msgspec.Struct, frozen=True):
    """One unit of work.

    `runner` is "package.module:Class" of the Runner that understands `body`. A worker hangs that needs more
    than `seconds`, more than `own` seconds in which it waits for no solver, or more than `cpu` seconds of its
    own CPU time.
    """

    number: int
    runner: str
    body: bytes
    seconds: float
    # 0: no limit.
    own: float = 0.0
    cpu: float = 0.0


class TaskResult(msgspec.Struct, frozen=True):
    """What a runner made of a task; if there is nothing, `lost` says why.

    `shortage` says what the machine has run out of: the task can be run again when it is back.
    """

    number: int
    body: bytes = b""
    lost: str = ""
    shortage: str = ""


class Runner(Protocol):
    """Runs the tasks of one kind in a worker, and keeps there what the next task can use again."""

    def run(self, body: bytes, stopping: Callable[[], bool]) -> bytes:
        """The result of a task; `stopping` says whether to come to an early end."""
        ...

    def close(self) -> None: ...


class Executor(Protocol):
    """A number of workers, each with one task at a time.

    A worker that dies or hangs is replaced, and its task comes back as lost.
    """

    @property
    def idle(self) -> int:
        """How many tasks can be submitted now."""
        ...

    @property
    def busy(self) -> int:
        """How many tasks are under way."""
        ...

    def submit(self, task: Task) -> None: ...

    def results(self, seconds: float) -> Iterator[TaskResult]:
        """The results that arrive within so many seconds; returns early when there are some."""
        ...

    def stop(self) -> None:
        """Ask all workers to end the tasks under way early; nothing can be submitted from now on.

        What a worker loses from now on does not come back as lost: it was never recorded, and a resumed
        campaign runs it again.
        """
        ...

    def close(self, grace: float = 2.0) -> None:
        """End all workers, by force those that do not end within `grace` seconds."""
        ...
