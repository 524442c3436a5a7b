"""TimeLimits: how long a solver may take for a mutant, judged by how long it took for the seed.

Most mutants are about as hard as their seed; one that is much harder is given up early, by all solvers
together. Only where another solver has answered is a late one worth much more, and such repetitions may take
only a share of the time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from falsum.solvers.answer import Answer, EndingKind
from falsum.store.records import MeasureRecord

SEED_MULTIPLE: Final = 4.0
MIN_SECONDS: Final = 0.05
# After one solver has timed out, the others get hardly any time.
AFTER_TIMEOUT_SECONDS: Final = 0.02
# Time-outs come in rows: a solver that was late for the mutant before, or for the seed, gets this share of
# the least limit, or twice the time of the seed.
LATE_SHARE: Final = 0.5
GRANTED_SHARE: Final = 0.02
GRANTED_SECONDS: Final = 1.0
# Mutants of a seed that takes longer get no more in addition than those of one that takes so long.
_SLOW_SECONDS: Final = 0.1
# What a strategy asks is harder than its seed: so many times as long, at most so many seconds. Once time-outs
# have taken so many times the CPU time of the batch, it is told nothing more.
_STRATEGY_MULTIPLE: Final = 8.0
_STRATEGY_SECONDS: Final = 1.0
_MOST_LOST: Final = 2.0
# How fast the estimate of the machine's slowness is adapted, and its maximum.
_ADAPTATION: Final = 0.05
_MAX_SLOWNESS: Final = 10.0
# Answers that took less CPU time say nothing about the machine.
_MIN_CPU_SECONDS: Final = 0.003


class TimeLimits:
    """The limits of one worker, and what repetitions have cost so far.

    A mutant gets `multiple` times what its seed took, less if that is slow, and at least `least` seconds.
    """

    def __init__(self, timeout: float, least: float = MIN_SECONDS, multiple: float = SEED_MULTIPLE) -> None:
        self.timeout = timeout
        self._least = least
        self._multiple = multiple
        self._asked = 0.0
        self._granted = 0.0
        # Wall time over CPU time of late: on a busy machine every answer takes longer.
        self._slowness = 1.0

    def seconds(self, measure: MeasureRecord | None, *, given_up: bool = False, late: bool = False) -> float:
        """The limit for a mutant, given how the solver did on the seed.

        `given_up`: another solver has timed out on the mutant; `late`: this one has on the mutant before.
        """
        own = self._least * self._slowness
        short = LATE_SHARE * own
        if measure is not None and measure.ending == EndingKind.FINISHED:
            most = measure.seconds + self._multiple * _SLOW_SECONDS
            own = max(own, min(self._multiple * measure.seconds, most))
            short = max(short, 2 * measure.seconds)
        if late or (measure is not None and measure.ending == EndingKind.TIMED_OUT):
            own = min(own, short)
        if given_up:
            own = min(
                own, max(AFTER_TIMEOUT_SECONDS * self._slowness, 2 * measure.seconds if measure else 0.0)
            )
        return min(own, self.timeout)

    def for_strategies(
        self, measures: Iterable[MeasureRecord], cpu: float, seconds: float = 0.0
    ) -> tuple[float, float]:
        """The limit for a request of a strategy in a batch of so many CPU seconds, and for all time-outs.

        A strategy that is given more `seconds` than strategies usually have gets them.
        """
        finished = (one.seconds for one in measures if one.ending == EndingKind.FINISHED)
        own = max(self.stretched(cpu), _STRATEGY_MULTIPLE * max(finished, default=0.0))
        most_lost = self.stretched(_MOST_LOST * cpu)
        if seconds > _STRATEGY_SECONDS:
            return min(seconds, self.timeout), max(most_lost, _MOST_LOST * seconds)
        return min(own, _STRATEGY_SECONDS, self.timeout), most_lost

    def stretched(self, seconds: float) -> float:
        """As long as that on a machine that is not busy."""
        return seconds * self._slowness

    def spent(self, answer: Answer, *, granted: bool = False) -> None:
        self._asked += answer.seconds
        if granted:
            self._granted += answer.seconds
        if answer.finished and answer.cpu >= _MIN_CPU_SECONDS:
            stretched = min(_MAX_SLOWNESS, max(1.0, answer.seconds / answer.cpu))
            self._slowness += _ADAPTATION * (stretched - self._slowness)

    @property
    def granted_seconds(self) -> float:
        """The limit for a repetition."""
        return min(self.timeout, max(self.stretched(GRANTED_SECONDS), self._multiple * self._least))

    def grants(self) -> bool:
        """Whether one more request may be repeated, should it end in a time-out again."""
        seconds = self.granted_seconds
        return self._granted + seconds <= GRANTED_SHARE * (self._asked + seconds)
