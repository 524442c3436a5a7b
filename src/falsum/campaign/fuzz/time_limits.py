"""Pace: how long a solver may take on a mutant, going by how it did on the seed.

Most mutants are about as hard as their seed; one that is much harder is given up early, by all solvers
together. Only where somebody has answered is a late one worth the full limit, and such grants may take only
a share of the time.
"""

from __future__ import annotations

from typing import Final

from falsum.solvers.answer import Answer, EndingKind
from falsum.store.records import MeasureRecord

MULTIPLE: Final = 4.0
FLOOR: Final = 0.08
# After one solver has given up, the others get only a glance.
GLANCE: Final = 0.03
GRANTED_SHARE: Final = 0.05
# How fast the estimate of the machine's slowness follows, and how far it goes.
_FOLLOWS: Final = 0.05
_SLOWEST: Final = 10.0
_TELLING_CPU: Final = 0.003


class Pace:
    """The limits of one worker; it remembers what its grants have cost."""

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self._asked = 0.0
        self._granted = 0.0
        # Wall time over CPU time of late: a machine shared with others stretches every answer.
        self._slowness = 1.0

    def limit(self, measure: MeasureRecord | None, *, given_up: bool = False) -> float:
        """Seconds for a mutant, after a seed that went like this."""
        own = FLOOR * self._slowness
        if measure is not None and measure.ending == EndingKind.FINISHED:
            own = max(own, MULTIPLE * measure.seconds)
        if given_up:
            own = min(own, max(GLANCE * self._slowness, 2 * measure.seconds if measure else 0.0))
        return min(own, self.timeout)

    def spent(self, answer: Answer, *, granted: bool = False) -> None:
        self._asked += answer.seconds
        if granted:
            self._granted += answer.seconds
        if answer.finished and answer.cpu >= _TELLING_CPU:
            stretched = min(_SLOWEST, max(1.0, answer.seconds / answer.cpu))
            self._slowness += _FOLLOWS * (stretched - self._slowness)

    def grants(self) -> bool:
        """Whether one more question may have the full limit, should it end in a time-out."""
        return self._granted + self.timeout <= GRANTED_SHARE * (self._asked + self.timeout)
