"""TriageQueue: findings that wait for triage, and the executor that runs it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Final, Self

import msgspec

from falsum.campaign.executors.executor import Executor, Loss, Task
from falsum.campaign.executors.processes import ProcessPool
from falsum.campaign.triage import runner
from falsum.campaign.triage.job import Job
from falsum.errors import shortage_in

_NICENESS: Final = 5
# Triage keeps to its time but for the last question; one that takes so much longer hangs.
_HANG_SECONDS: Final = 120.0
_LOOK_SECONDS: Final = 0.5
_MAX_KILLS: Final = 5


def processes(jobs: int) -> ProcessPool:
    """Worker processes for triage, at lower priority."""
    return ProcessPool(jobs, _NICENESS)


class TriageQueue:
    """Closing it ends running triage at once: finished steps are kept in the finding's folder."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        # Other machines do not see the folders of this one.
        self._is_remote = executor.status is not None
        self._numbers = count()
        self._waiting: deque[Job] = deque()
        self._under_way: dict[int, Job] = {}
        # How often the workers that triaged a finding were killed.
        self._kills: Counter[Path] = Counter()

    @property
    def left(self) -> int:
        """The number of findings that are not triaged yet."""
        return len(self._waiting) + len(self._under_way)

    def add(self, job: Job) -> None:
        self._waiting.append(job)

    def submit(self) -> Path | None:
        """Start with the next finding; None if none is waiting or all workers are busy."""
        if not self._waiting or not self._executor.idle:
            return None
        job = self._waiting.popleft()
        number = next(self._numbers)
        seconds = 2 * job.seconds + _HANG_SECONDS
        try:
            self._executor.submit(self._task(number, job, seconds))
        except OSError as error:
            if not shortage_in(error):
                raise
            self._waiting.appendleft(job)  # no worker can be started now
            return None
        self._under_way[number] = job
        return Path(job.folder)

    def finished(self, seconds: float) -> Iterator[tuple[Path, str]]:
        """The findings whose triage ended within these seconds, each with an error, or ""."""
        for result in self._executor.results(seconds):
            job = self._under_way.pop(result.number)
            folder = Path(job.folder)
            if result.lost and result.loss is Loss.KILLED and self._kills[folder] < _MAX_KILLS:
                self._kills[folder] += 1
                self._waiting.appendleft(job)  # it goes on with the step at hand
                continue
            if result.lost or not self._is_remote:
                yield folder, result.lost or result.body.decode()
            else:
                yield folder, runner.unpack(folder, result.body)

    def _task(self, number: int, job: Job, seconds: float) -> Task:
        if self._is_remote:
            return Task(number, runner.SHIPPED_RUNNER, runner.packed(job), seconds, cpu=seconds)
        return Task(number, runner.RUNNER, msgspec.msgpack.encode(job), seconds, cpu=seconds)

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Path, str]]:
        """Triage all of these findings; results as from `finished`."""
        self._waiting.extend(jobs)
        while self.left:
            while self.submit() is not None:
                pass
            yield from self.finished(_LOOK_SECONDS)

    def close(self) -> None:
        self._executor.close(grace=0.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()
