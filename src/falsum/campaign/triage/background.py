"""Spare time: findings are triaged while the campaign runs, in a bounded share of its time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from falsum.campaign.triage import result
from falsum.campaign.triage.job import Order, pending
from falsum.campaign.triage.queue import TriageQueue, processes

# Of all the time of all workers, what triage may take; and what one finding may take of it.
SHARE: Final = 0.1
SECONDS: Final = 60.0
# What is waiting at the end gets a little more time: this share of the campaign's, but no more than that.
_AT_THE_END: Final = 0.1
_MOST_AT_THE_END: Final = 30.0
_TIMEOUT: Final = 5.0
_LOOK_SECONDS: Final = 0.2


class SpareTime:
    """One triager behind the workers; `report` writes up what is triaged."""

    def __init__(
        self,
        solvers: Sequence[str],
        timeout: float,
        memory: int,
        report: Callable[[Path], object],
        *,
        share: float = SHARE,
        seconds: float = SECONDS,
    ) -> None:
        self._job = Order("", tuple(solvers), min(timeout, _TIMEOUT), memory, seconds)
        self._report = report
        self._share = share
        self._queue = TriageQueue(processes(1))
        self._started = time.monotonic()
        self._since = 0.0
        self.spent = 0.0
        self.done = 0

    def begin(self, homes: Sequence[Path]) -> None:
        """What earlier runs have left."""
        self._started = time.monotonic()
        for home in pending(homes):
            self.add(home)

    def add(self, home: Path) -> None:
        self._queue.add(msgspec.structs.replace(self._job, home=str(home)))

    @property
    def left(self) -> int:
        """How many findings are still to be triaged."""
        return self._queue.left

    def look(self, jobs: int, seconds: float = 0.0) -> Iterator[tuple[Path, str]]:
        """What has been triaged since the last look; starts the next if the share allows it."""
        for home, error in self._queue.finished(seconds):
            self.spent += time.monotonic() - self._since
            yield home, self._told(home, error)
        allowed = self._share * jobs * (time.monotonic() - self._started)
        if not self._queue.is_busy and self.spent <= allowed and self._queue.submit():
            self._since = time.monotonic()

    def finish(self, elapsed: float, is_over: Callable[[], bool]) -> Iterator[tuple[Path, str]]:
        """A little more time for what is waiting when the campaign ends."""
        until = time.monotonic() + min(_MOST_AT_THE_END, _AT_THE_END * elapsed)
        while self.left and time.monotonic() < until and not is_over():
            if not self._queue.is_busy:
                self._queue.submit()
            for home, error in self._queue.finished(_LOOK_SECONDS):
                yield home, self._told(home, error)

    def close(self) -> None:
        self._queue.close()

    def _told(self, home: Path, error: str) -> str:
        made = result.read(home)
        if made is None:
            return f"could not be triaged: {error}"
        self.done += 1
        self._report(home)
        small = f"; {made.reduction.length_before} → {made.reduction.length} bytes" if made.reduction else ""
        return f"{made.judgement.judgement}{small}"
