"""Pace: how long a solver may take on a mutant, going by how it did on the seed.

Most mutants are about as hard as their seed; one that is much harder is given up early, by all solvers
together. Only where somebody has answered is a late one worth the full limit, and such grants may take only
a share of the time.
"""

from __future__ import annotations

from typing import Final

from falsum.solvers.answer import EndingKind
from falsum.store.records import MeasureRecord

MULTIPLE: Final = 4.0
FLOOR: Final = 0.15
# After one solver has given up, the others get only a glance.
GLANCE: Final = 0.05
GRANTED_SHARE: Final = 0.10


class Pace:
    """The limits of one worker; it remembers what its grants have cost."""

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self._asked = 0.0
        self._granted = 0.0

    def limit(self, measure: MeasureRecord | None, *, given_up: bool = False) -> float:
        """Seconds for a mutant, after a seed that went like this."""
        own = FLOOR
        if measure is not None and measure.ending == EndingKind.FINISHED:
            own = max(FLOOR, MULTIPLE * measure.seconds)
        if given_up:
            own = min(own, max(GLANCE, 2 * measure.seconds if measure else 0.0))
        return min(own, self.timeout)

    def spent(self, seconds: float, *, granted: bool = False) -> None:
        self._asked += seconds
        if granted:
            self._granted += seconds

    def grants(self) -> bool:
        """Whether one more question may have the full limit, should it end in a time-out."""
        return self._granted + self.timeout <= GRANTED_SHARE * (self._asked + self.timeout)
