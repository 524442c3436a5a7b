"""Spare time: findings are triaged while the campaign runs, in a bounded share of its time."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from falsum.campaign.triage import result
from falsum.campaign.triage.job import Order, pending
from falsum.campaign.triage.pool import Done, Triagers

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
        self._order = Order("", tuple(solvers), min(timeout, _TIMEOUT), memory, seconds)
        self._report = report
        self._share = share
        self._triagers = Triagers(1)
        self._waiting: deque[Path] = deque()
        self._started = time.monotonic()
        self._since = 0.0
        self._at_work: Path | None = None
        self.spent = 0.0
        self.done = 0

    def begin(self, homes: Sequence[Path]) -> None:
        """What earlier runs have left."""
        self._started = time.monotonic()
        self._waiting.extend(pending(homes))

    def add(self, home: Path) -> None:
        self._waiting.append(home)

    @property
    def left(self) -> int:
        """How many findings are still to be triaged."""
        return len(self._waiting) + (self._at_work is not None)

    def look(self, jobs: int, seconds: float = 0.0) -> Iterator[tuple[Path, str]]:
        """What has been triaged since the last look; starts the next if the share allows it."""
        for done in self._triagers.done(seconds):
            self.spent += time.monotonic() - self._since
            yield self._ended(done)
        allowed = self._share * jobs * (time.monotonic() - self._started)
        if self._waiting and not self._triagers.busy and self.spent <= allowed:
            self._next()

    def finish(self, elapsed: float, is_over: Callable[[], bool]) -> Iterator[tuple[Path, str]]:
        """A little more time for what is waiting when the campaign ends."""
        until = time.monotonic() + min(_MOST_AT_THE_END, _AT_THE_END * elapsed)
        while self.left and time.monotonic() < until and not is_over():
            if not self._triagers.busy:
                self._next()
            for done in self._triagers.done(_LOOK_SECONDS):
                yield self._ended(done)

    def close(self) -> None:
        self._triagers.close()

    def _next(self) -> None:
        home = self._waiting.popleft()
        order = Order(
            str(home), self._order.solvers, self._order.timeout, self._order.memory, self._order.seconds
        )
        self._since, self._at_work = time.monotonic(), home
        self._triagers.submit(order)

    def _ended(self, done: Done) -> tuple[Path, str]:
        """The finding, and what is to be told of it."""
        home, self._at_work = Path(done.home), None
        made = result.read(home)
        if made is None:
            return home, f"could not be triaged: {done.error}"
        self.done += 1
        self._report(home)
        small = f"; {made.reduction.length_before} → {made.reduction.length} bytes" if made.reduction else ""
        return home, f"{made.judgement.judgement}{small}"
