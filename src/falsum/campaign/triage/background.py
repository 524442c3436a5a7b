"""BackgroundTriage: findings are triaged while the campaign runs, in a bounded share of its time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from falsum.campaign.executors.executor import Executor
from falsum.campaign.triage import result
from falsum.campaign.triage.job import Job, pending
from falsum.campaign.triage.queue import TriageQueue, processes
from falsum.errors import SurroundingsError

# The share of the time of all workers that triage may take, and the time for one finding.
SHARE: Final = 0.1
SECONDS: Final = 60.0
# The time for what is waiting when the campaign ends: this share of its duration, up to a maximum.
_SHARE_AT_THE_END: Final = 0.1
_MAX_SECONDS_AT_THE_END: Final = 30.0
_TIMEOUT: Final = 5.0
_LOOK_SECONDS: Final = 0.2


class BackgroundTriage:
    """Triages one finding at a time; on a cluster, as many as its executor takes.

    `report` writes the report of a triaged finding.
    """

    def __init__(
        self,
        solvers: Sequence[str],
        timeout: float,
        memory: int,
        report: Callable[[Path], object],
        executor: Executor | None = None,
        *,
        share: float = SHARE,
        seconds: float = SECONDS,
        budget: float | None = None,
    ) -> None:
        self._job = Job("", tuple(solvers), min(timeout, _TIMEOUT), memory, seconds)
        self._report = report
        self._share = share
        self._budget = budget
        self._queue = TriageQueue(executor or processes(1))
        self._started = time.monotonic()
        # When the findings under way were submitted, by folder.
        self._since: dict[Path, float] = {}
        self._spent = 0.0

    def begin(self, folders: Sequence[Path]) -> None:
        """Start with the findings that earlier runs of the campaign have left."""
        self._started = time.monotonic()
        for folder in pending(folders):
            self.add(folder)

    def add(self, folder: Path) -> None:
        self._queue.add(msgspec.structs.replace(self._job, folder=str(folder)))

    @property
    def left(self) -> int:
        """The number of findings that are not triaged yet."""
        return self._queue.left

    def look(self, jobs: int, seconds: float = 0.0) -> Iterator[tuple[Path, str]]:
        """The findings triaged since the last call, with results; starts the next one when it is time."""
        for folder, error in self._queue.finished(seconds):
            self._spent += time.monotonic() - self._since.pop(folder, time.monotonic())
            yield folder, self._result(folder, error)
        now = time.monotonic()
        allowance = self._share * jobs * (now - self._started)
        running = sum(now - since for since in self._since.values())
        while self._spent + running <= allowance and (submitted := self._queue.submit()) is not None:
            self._since[submitted] = now
            # What is begun may take its whole time.
            running += self._job.seconds

    def finish(self, elapsed: float, is_over: Callable[[], bool]) -> Iterator[tuple[Path, str]]:
        """Triage waiting findings for a while after the campaign has ended."""
        allowance = min(_MAX_SECONDS_AT_THE_END, _SHARE_AT_THE_END * elapsed)
        if self._budget is not None:  # of the whole campaign
            allowance = self._budget - (time.monotonic() - self._started)
        until = time.monotonic() + allowance
        while self.left and time.monotonic() < until and not is_over():
            while self._queue.submit() is not None:
                pass
            for folder, error in self._queue.finished(_LOOK_SECONDS):
                yield folder, self._result(folder, error)

    def close(self) -> None:
        self._queue.close()

    def _result(self, folder: Path, error: str) -> str:
        triage = result.read(folder)
        if triage is None:
            return f"not triaged: {error.strip().splitlines()[-1] if error.strip() else 'no result'}"
        try:
            self._report(folder)
        except SurroundingsError as unwritable:  # it can be written later; the campaign goes on
            return f"no report: {unwritable}"
        small = (
            f"; {triage.reduction.length_before} → {triage.reduction.length} bytes"
            if triage.reduction
            else ""
        )
        return f"{triage.judgement.judgement}{small}"
