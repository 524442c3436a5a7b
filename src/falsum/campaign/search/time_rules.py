"""Time rules of a campaign over scripts: of a batch, a visit of its seeds, a new seed, a mutant.

Seeds share time rather than mutants: eight mutants of a slow seed would cost as much as hundreds of a fast
one. CPU time is used where possible, because other processes do not stretch it. Most mutants are about as
hard as their seed; much harder ones are given up early, by all solvers together. If another solver has
answered, a slow solver gets much more time, but such repetitions may take only a share of the time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from falsum.campaign.search.schedule import BATCH_COUNT
from falsum.solvers.answer import Answer, EndingKind
from falsum.store.records import MeasureRecord
from falsum.strategies.mutant import PARAMETERS, Mutant

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
# As in Sparrow: seeds that no solver decides within five seconds only cost time.
SLOW_SECONDS: Final = 5.0
# A seed that takes longer is put off, and waited for so many times as long when it comes again: quick seeds
# have their turn first. Once a solver has decided it, none of the others is waited for any longer.
FIRST_PATIENCE: Final = 0.3
_MORE_PATIENCE: Final = 4.0
# The CPU time of a batch; its elapsed time may be so many times as long.
_BATCH_CPU_SECONDS: Final = 0.2
_MAX_STRETCH: Final = 12.0
_LONGEST_VISIT_SECONDS: Final = 600.0
# A batch whose seeds took long to prepare may have so many times the mutants.
_LONGER: Final = 2.5
# Whoever counts mutants wants the same ones again: time is not to decide how many a batch has.
_MORE_TIME: Final = 10.0
# The share of the CPU time that may go into waiting for seeds that were put off.
WAITING_SHARE: Final = 0.05
# A batch ends by itself. One that takes so much longer hangs in our own code: by its CPU time, or by the time
# in which it waits for no solver, which other processes of a busy machine stretch.
_MAX_CPU_SECONDS: Final = 20.0
_MAX_OWN_SECONDS: Final = 60.0
# Solver calls have limits of their own; so many full time limits are more than any batch needs.
_MAX_FULL_CALLS: Final = 30
# When a campaign ends, batches under way get so long, and some full calls unless it was interrupted.
_GRACE_SECONDS: Final = 4.0
_GRACE_CALLS: Final = 4


class BatchBudget(msgspec.Struct, frozen=True):
    """The budget of a batch: at most `count` mutants, and `seconds`.

    It ends earlier after `enough` mutants (if not 0) or `cpu` seconds of CPU time, unless it took longer than
    that to prepare the seeds; profiles of seeds are not counted. A new seed that no solver decides within
    `patience` seconds is postponed.
    """

    count: int
    seconds: float = 60.0
    cpu: float = 60.0
    enough: int = 0
    patience: float = SLOW_SECONDS

    def worker_limits(self, timeout: float) -> tuple[float, float, float]:
        """The limits after which a worker counts as hanging: total seconds, seconds without waiting for
        a solver, CPU seconds.
        """
        own = self.seconds + _MAX_OWN_SECONDS
        return own + _MAX_FULL_CALLS * timeout, own, self.seconds + _MAX_CPU_SECONDS


def batch_budget(
    per_visit: int, least: float, patience: float, share: int | None, seconds: float
) -> BatchBudget:
    """The budget of the next batch: longer with more mutants per visit, or more time for each.

    `share` is its number of mutants in a campaign that counts them; `seconds` are left of the campaign.
    """
    more = max(1.0, per_visit / BATCH_COUNT) * max(1.0, least / MIN_SECONDS)
    cpu = min(_BATCH_CPU_SECONDS * more, _LONGEST_VISIT_SECONDS)
    count = math.ceil(_LONGER * per_visit)
    if share is not None:
        count, cpu = share, _MORE_TIME * cpu
    return BatchBudget(count, min(_MAX_STRETCH * cpu, seconds), cpu, per_visit, patience)


def patience(times_put_off: int) -> float:
    """The time limit for a seed without a profile, in seconds."""
    return min(SLOW_SECONDS, FIRST_PATIENCE * _MORE_PATIENCE ** min(times_put_off, 5))


def grace(timeout: float, *, interrupted: bool) -> float:
    """The time that running batches may take when a campaign ends."""
    return _GRACE_SECONDS + (0.0 if interrupted else _GRACE_CALLS * timeout)


class Visit:
    """The CPU time of a batch: preparing its seeds, until the first mutant, and the mutants.

    A visit that took long to prepare continues until its mutants have taken as long. Mutants of a mutant that
    is too hard are mostly too hard as well, and are left out (`by_time`).
    """

    def __init__(self, budget: BatchBudget, cpu: float, *, by_time: bool) -> None:
        self._budget = budget
        self._by_time = by_time
        self._began = cpu
        self._first: float | None = None
        self._hard: tuple[str, ...] = ()

    def is_used_up(self, cpu: float) -> bool:
        """Whether the time is used up; asked before each mutant."""
        if self._first is None:
            self._first = cpu
            return False
        return cpu - self._first >= max(self._budget.cpu, self._first - self._began)

    def is_enough(self, mutants: int, cpu: float) -> bool:
        """Whether there are enough mutants; asked after each mutant."""
        assert self._first is not None
        is_worth_it = cpu - self._first >= self._first - self._began
        return mutants >= self._budget.count or (mutants >= (self._budget.enough or math.inf) and is_worth_it)

    def look_at(
        self, mutant: Mutant, answers: Mapping[str, Answer], measures: Mapping[str, MeasureRecord]
    ) -> None:
        """Note a mutant that took a solver too long, although the seed did not."""
        is_hard = any(
            answer.ending.kind is EndingKind.TIMED_OUT and measures[solver].ending == EndingKind.FINISHED
            for solver, answer in answers.items()
            if solver in measures
        )
        if is_hard and self._by_time:
            self._hard = _edits(mutant)

    def is_too_hard(self, mutant: Mutant) -> bool:
        """Whether a mutant was made from one that was too hard: its lineage continues the other's."""
        if not self._hard:
            return False
        edits, length = _edits(mutant), len(self._hard)
        return length < len(edits) and edits[:length] == self._hard


def _edits(mutant: Mutant) -> tuple[str, ...]:
    """The lineage without the parameters of the strategy at its end."""
    return tuple(line for line in mutant.lineage if not line.startswith(PARAMETERS))


class TimeLimits:
    """The limits of one worker, and what repetitions have cost so far.

    A mutant gets `multiple` times the time of its seed, less for slow seeds, and at least `least` seconds.
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
        """The time limit for a mutant, given the solver's time on the seed.

        `given_up`: another solver has timed out on the mutant; `late`: this one has timed out on the mutant
        before.
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
        """The limit for a request of a strategy in a batch of `cpu` CPU seconds, and the limit for all its
        time-outs.

        A strategy whose parameter `seconds` exceeds the usual limit gets these seconds.
        """
        finished = (one.seconds for one in measures if one.ending == EndingKind.FINISHED)
        own = max(self.stretched(cpu), _STRATEGY_MULTIPLE * max(finished, default=0.0))
        most_lost = self.stretched(_MOST_LOST * cpu)
        if seconds > _STRATEGY_SECONDS:
            return min(seconds, self.timeout), max(most_lost, _MOST_LOST * seconds)
        return min(own, _STRATEGY_SECONDS, self.timeout), most_lost

    def stretched(self, seconds: float) -> float:
        """The limit in wall-clock seconds, stretched for a busy machine."""
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
        """Whether one more request may be repeated, even if it times out again."""
        seconds = self.granted_seconds
        return self._granted + seconds <= GRANTED_SHARE * (self._asked + seconds)
