"""TriageQueue: findings that wait for triage, and the executor that gets them one by one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Final, Self

import msgspec

from falsum.campaign.executors.executor import Executor, Task
from falsum.campaign.executors.processes import ProcessPool
from falsum.campaign.triage.job import Job
from falsum.errors import shortage_in

RUNNER: Final = "falsum.campaign.triage.runner:TriageRunner"
_NICENESS: Final = 5
# Triage keeps to its time but for the last question; one that takes so much longer hangs.
_HANG_SECONDS: Final = 120.0
_LOOK_SECONDS: Final = 0.5


def processes(jobs: int) -> ProcessPool:
    """Worker processes for triage, which leave the others the first turn."""
    return ProcessPool(jobs, _NICENESS)


class TriageQueue:
    """Closing it ends what is under way at once: the steps already done are in the finding's folder."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._numbers = count()
        self._waiting: deque[Job] = deque()
        self._under_way: dict[int, Job] = {}

    @property
    def left(self) -> int:
        """How many findings are not triaged yet."""
        return len(self._waiting) + len(self._under_way)

    @property
    def is_busy(self) -> bool:
        return bool(self._under_way)

    def add(self, job: Job) -> None:
        self._waiting.append(job)

    def submit(self) -> bool:
        """Start with the next finding; False if none is waiting or all workers are busy."""
        if not self._waiting or not self._executor.idle:
            return False
        job = self._waiting.popleft()
        number = next(self._numbers)
        seconds = 2 * job.seconds + _HANG_SECONDS
        try:
            self._executor.submit(Task(number, RUNNER, msgspec.msgpack.encode(job), seconds, cpu=seconds))
        except OSError as error:
            if not shortage_in(error):
                raise
            self._waiting.appendleft(job)  # no worker can be started now
            return False
        self._under_way[number] = job
        return True

    def finished(self, seconds: float) -> Iterator[tuple[Path, str]]:
        """The findings whose triage ended within so many seconds, each with what went wrong, or ""."""
        for result in self._executor.results(seconds):
            job = self._under_way.pop(result.number)
            yield Path(job.folder), result.lost or result.body.decode()

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Path, str]]:
        """Triage all of these, as `finished` tells."""
        self._waiting.extend(jobs)
        while self.left:
            while self.submit():
                pass
            yield from self.finished(_LOOK_SECONDS)

    def close(self) -> None:
        self._executor.close(grace=0.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()
