"""LearnSchedule: batches go where new behaviour and new findings have cost least; all else keeps a share.

An arm is a strategy, a logic and a configuration. What it brings per CPU second is unknown; it is estimated
by a Gamma distribution, as for events that are counted (Poisson), and the arm that is best in one random draw
from all distributions is taken (Thompson sampling). An arm that has not been tried is expected to do as well
as its strategy, its logic and its configuration do elsewhere. Old results count less and less. The seed is
chosen in the same way; one that was never used is expected to do as well as first visits do. Two batches in
five are those of the even schedule: no seed, strategy or configuration is ever given up.

Everything is new at the beginning of a campaign, and little is later. So a batch is credited with its new
behaviour in comparison with the other batches of its time. Findings are what counts in the end: they have a
credit of their own. A credit is limited: a single find says little about an arm.

A batch is drawn with its number, so the same results in the same order give the same batches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from random import Random
from typing import Final, NamedTuple

from falsum.campaign.schedulers.even import PLAIN_SHARE, WINDOW, EvenSchedule
from falsum.campaign.schedulers.schedule import FINDING_GAIN, PLAIN, Slot, Yield

FLOOR: Final = 0.4
# After so many CPU seconds of the campaign a result counts half; and, for what is usual, after so many.
_HALF_LIFE: Final = 600.0
_USUAL_HALF_LIFE: Final = 60.0
# A credit is the time that other batches would need for the same gain, in CPU seconds: so many at most.
_MOST_CREDIT: Final = 10.0
_FINDING_CREDIT: Final = 5.0
# What is expected of an arm counts as much as this many CPU seconds of results, so does that of a seed.
_PRIOR_SECONDS: Final = 4.0
_POOL_SECONDS: Final = 20.0
_LEAST_GAIN: Final = 0.05
# Arms not tried yet, and seeds, that are looked at for one choice.
_CANDIDATES: Final = 64
_TRIES: Final = 20


class Arm(NamedTuple):
    strategy: str
    logic: str
    configuration: str = PLAIN


@dataclass(slots=True)
class Estimate:
    """Credit and cost so far, decayed as of `clock`; gain and cost in `total`."""

    credit: float = 0.0
    cost: float = 0.0
    clock: float = 0.0
    total_gain: float = 0.0
    total_cost: float = 0.0
    batches: int = 0
    half_life: float = _HALF_LIFE

    def decayed(self, clock: float) -> tuple[float, float]:
        kept = 0.5 ** ((clock - self.clock) / self.half_life)
        return self.credit * kept, self.cost * kept

    def add(self, result: Yield, credit: float, clock: float) -> None:
        before, cost = self.decayed(clock)
        self.credit, self.cost, self.clock = before + credit, cost + result.cost, clock
        self.total_gain += result.gain
        self.total_cost += result.cost
        self.batches += 1


class LearnSchedule:
    """Seeds may be added; `logics` has the logic of each that is given at the start."""

    def __init__(
        self,
        logics: Sequence[str],
        arities: Mapping[str, int],
        rng: int,
        done: Iterable[int] = (),
        configurations: Sequence[str] = (),
    ) -> None:
        self._rng = rng
        numbers = set(done)
        self._next = max(numbers, default=-1) + 1
        # Batches that were under way when a campaign was killed.
        self._gaps = [n for n in range(max(0, self._next - WINDOW), self._next) if n not in numbers][::-1]
        shared = (n for n in range(self._next) if _is_shared(self._draws(n)))
        shared_before = [place for place, number in enumerate(shared) if number in numbers]
        self._even = EvenSchedule(logics, arities, rng, shared_before, configurations)
        self._given = len(logics)
        self._arities = dict(arities)
        self._configurations = [PLAIN, *configurations]
        self._logics: list[str] = []
        self._groups: dict[str, list[int]] = {}
        self._seeds: list[Estimate] = []
        self._out: set[int] = set()
        self._exhausted: set[tuple[int, str]] = set()
        self._pools: dict[str, Estimate] = {}
        # Its credit is the number of mutants with new behaviour.
        self._usual = Estimate(half_life=_USUAL_HALF_LIFE)
        self._clock = 0.0
        self.arms: dict[Arm, Estimate] = {}
        for logic in logics:
            self.add(logic)

    def add(self, logic: str) -> int:
        """Add a seed; its place."""
        place = len(self._logics)
        self._logics.append(logic)
        self._groups.setdefault(logic, []).append(place)
        self._seeds.append(Estimate())
        return place

    def next(self) -> Slot | None:
        number = self._gaps[-1] if self._gaps else self._next
        rng = self._draws(number)
        slot = None if _is_shared(rng) else self._learned(number, rng)
        if slot is None:
            given = self._even.next()
            if given is None:
                return None
            slot = Slot(number, given.strategy, given.seeds, f"{self._rng}:{number}", given.configuration)
        if self._gaps:
            self._gaps.pop()
        else:
            self._next += 1
        return slot

    def leave_out(self, seed: int) -> None:
        if seed in self._out:
            return
        self._out.add(seed)
        self._groups[self._logics[seed]].remove(seed)
        if seed < self._given:
            self._even.leave_out(seed)

    def exhaust(self, seed: int, strategy: str) -> None:
        self._exhausted.add((seed, strategy))
        if seed < self._given:
            self._even.exhaust(seed, strategy)

    def drop(self, configuration: str) -> None:
        self._even.drop(configuration)
        if configuration in self._configurations:
            self._configurations.remove(configuration)
            self.arms = {arm: one for arm, one in self.arms.items() if arm.configuration != configuration}

    def learn(self, slot: Slot, result: Yield) -> None:
        self._clock += result.cost
        credit = self._credit(result)
        arm = self._arm_of(slot)
        for one in (self.arms.setdefault(arm, Estimate()), *self._pools_of(arm)):
            one.add(result, credit, self._clock)
        if slot.seeds:
            place = slot.seeds[0]
            self._visits(place).add(result, credit, self._clock)
            self._seeds[place].add(result, credit, self._clock)

    def _credit(self, result: Yield) -> float:
        """The CPU seconds that other batches would need for the same."""
        new = result.gain - FINDING_GAIN * result.found
        self._usual.add(result, new, self._clock)
        usual, seconds = self._usual.decayed(self._clock)
        credit = new * seconds / usual if usual else 0.0
        return min(_MOST_CREDIT, credit + _FINDING_CREDIT * result.found)

    def rate(self, seed: int) -> float:
        """What a seed has brought per CPU second of late."""
        return self._rate(self._seeds[seed])

    def _rate(self, known: Estimate) -> float:
        credit, cost = known.decayed(self._clock)
        return (credit + _LEAST_GAIN) / (cost + _PRIOR_SECONDS)

    def _draws(self, number: int) -> Random:
        """The random numbers with which a batch is chosen."""
        return Random(f"{self._rng}:{number}:arm")

    def _arm_of(self, slot: Slot) -> Arm:
        logic = self._logics[slot.seeds[0]] if slot.seeds else ""
        return Arm(slot.strategy, logic, slot.configuration)

    def _pools_of(self, arm: Arm) -> list[Estimate]:
        """All batches, and those with the strategy, the logic and the configuration of an arm."""
        names = ("all", *(f"{field} {value}" for field, value in arm._asdict().items()))
        return [self._pools.setdefault(name, Estimate()) for name in names]

    def _visits(self, seed: int) -> Estimate:
        """The first visits of all seeds that were given, of those that were added, or the later ones."""
        kind = "later" if self._seeds[seed].batches else "first" if seed < self._given else "added"
        return self._pools.setdefault(f"visits {kind}", Estimate())

    def _expected(self, arm: Arm) -> float:
        """The credit per second that the strategy, the logic and the configuration of an arm suggest."""
        _everything, *parts = self._pools_of(arm)
        expected = self._overall
        for part in parts:
            expected *= self._compared(part)
        return expected

    @property
    def _overall(self) -> float:
        """The credit per second of all batches."""
        credit, cost = self._pools.setdefault("all", Estimate()).decayed(self._clock)
        return (credit + _LEAST_GAIN) / (cost + 1.0)

    def _compared(self, pool: Estimate) -> float:
        """How many times better than all batches some of them do."""
        credit, cost = pool.decayed(self._clock)
        return (credit / self._overall + _POOL_SECONDS) / (cost + _POOL_SECONDS)

    def _learned(self, number: int, rng: Random) -> Slot | None:
        """The best arm of one draw, with a seed; None if none can be taken."""
        tried = self._tried(rng)
        fresh = [self._random_arm(rng) for _ in range(_CANDIDATES)]
        drawn = {arm: self._draw(arm, rng) for arm in dict.fromkeys((*tried, *fresh))}
        for arm in sorted(drawn, key=lambda arm: (-drawn[arm], arm))[:_TRIES]:
            if self._arities[arm.strategy] == 0:
                return Slot(number, arm.strategy, (), f"{self._rng}:{number}", arm.configuration)
            seed = self._seed(arm, rng)
            if seed is not None:
                seeds = self._with_partners(seed, arm, rng)
                return Slot(number, arm.strategy, seeds, f"{self._rng}:{number}", arm.configuration)
        return None

    def _tried(self, rng: Random) -> list[Arm]:
        """Arms that were tried before; if they are many the best ones, and some others."""
        tried = list(self.arms)
        if len(tried) <= 2 * _CANDIDATES:
            return tried
        best = nlargest(_CANDIDATES, tried, key=lambda arm: (self._rate(self.arms[arm]), arm))
        return [*best, *rng.sample(tried, _CANDIDATES)]

    def _random_arm(self, rng: Random) -> Arm:
        strategy = rng.choice(list(self._arities))
        logic = rng.choice(self._logics) if self._arities[strategy] else ""
        is_plain = rng.random() < PLAIN_SHARE
        return Arm(strategy, logic, PLAIN if is_plain else rng.choice(self._configurations))

    def _draw(self, arm: Arm, rng: Random) -> float:
        known = self.arms.get(arm)
        return self._drawn(known or Estimate(), self._expected(arm), rng)

    def _drawn(self, known: Estimate, expected: float, rng: Random) -> float:
        """A rate, drawn from what is known of an arm or a seed and what is expected of it."""
        credit, cost = known.decayed(self._clock)
        shape = credit + _PRIOR_SECONDS * expected + _LEAST_GAIN
        return rng.gammavariate(shape, 1.0 / (cost + _PRIOR_SECONDS))

    def _seed(self, arm: Arm, rng: Random) -> int | None:
        group = self._groups.get(arm.logic, [])
        some = group if len(group) <= _CANDIDATES else rng.sample(group, _CANDIDATES)
        able = [seed for seed in some if (seed, arm.strategy) not in self._exhausted]
        if not able:
            return None
        expected = self._expected(arm)
        drawn = {}
        for seed in able:
            visits = self._compared(self._visits(seed))
            drawn[seed] = self._drawn(self._seeds[seed], expected * visits, rng)
        return max(able, key=lambda seed: (drawn[seed], -seed))

    def _with_partners(self, seed: int, arm: Arm, rng: Random) -> tuple[int, ...]:
        others = [other for other in self._groups[arm.logic] if other != seed] or [seed]
        return (seed, *(rng.choice(others) for _ in range(self._arities[arm.strategy] - 1)))


def _is_shared(rng: Random) -> bool:
    """Whether a batch is one of the even schedule."""
    return rng.random() < FLOOR
