"""LearnSchedule: batches go where new findings and behaviour have cost least; everything else keeps a share.

A batch is chosen in steps: its configuration, its strategy, its seed. What each of them brings per second of
CPU time is unknown; it is estimated by a Gamma distribution, as for events that are counted (Poisson), and
the one that is best in one random draw from all distributions is taken (Thompson sampling). Seeds take turns
instead, with each strategy by itself; one that promises twice as much has two turns where others have one:
the best seeds, visited again and again, show the same bugs. An arm is a strategy, a logic and a
configuration: there are hundreds, too many to learn from each alone. So a seed is expected to do as well as
its arm, the arm as well as its logic, and a seed that was never used as well as first visits do. What is
expected of strategies at the beginning may be given. Old results count less and less. One batch in five is of
the even schedule: no seed, strategy or configuration is ever given up.

A credit is in CPU seconds: the time that other batches would need for the same. New behaviour is only part of
it: it tells what was not tried before, not where bugs are. All is new when a campaign begins and little is
later, so a batch is compared with the others of its time. Seeds are also compared by how many of their
mutants are decided in the same time. Findings are what counts in the end: they have a credit of their own,
and a limit, since a single find says little.

A batch is drawn with its number, so the same results in the same order give the same batches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from falsum.campaign.search.even import PLAIN_SHARE, WINDOW, EvenSchedule
from falsum.campaign.search.schedule import FINDING_GAIN, PLAIN, Slot, Yield

FLOOR: Final = 0.2
# After so many CPU seconds of the campaign a result counts half; and, for what is usual, after so many.
_HALF_LIFE: Final = 600.0
_USUAL_HALF_LIFE: Final = 60.0
# The part of a batch's credit that depends on new behaviour; the rest is the time it took.
_NEW_SHARE: Final = 0.4
# For a seed the rest is the time that mutants of other seeds would have taken, and at most so many times its
# own: quick seeds are worth more, but those that are trivial are quick as well.
_MOST_QUICKNESS: Final = 2.0
_FINDING_CREDIT: Final = 5.0
# What else is found with a seed is most often the same bug, so each bug it shows costs it so many seconds.
_SHOWN_FINE: Final = 12.0
_MOST_CREDIT: Final = 10.0
# What is expected of a strategy, an arm or a seed counts as much as this many CPU seconds of results.
_EXPECTED_SECONDS: Final = 8.0
_LEAST_CREDIT: Final = 0.05
# Seeds among which one is chosen.
_CANDIDATES: Final = 64
# How often the seed is a mutant that has become one, when results are old; the given seeds come first.
_GROWN_SHARE: Final = 0.2


class Arm(NamedTuple):
    strategy: str
    logic: str
    configuration: str = PLAIN


@dataclass(slots=True)
class Estimate:
    """Credit and cost so far, decayed as of `clock`; `total` has gain and cost undecayed."""

    credit: float = 0.0
    cost: float = 0.0
    clock: float = 0.0
    total_gain: float = 0.0
    total_cost: float = 0.0
    batches: int = 0
    half_life: float = _HALF_LIFE

    def decayed(self, clock: float) -> tuple[float, float]:
        factor = 0.5 ** ((clock - self.clock) / self.half_life)
        return self.credit * factor, self.cost * factor

    def add(self, result: Yield, credit: float, clock: float, fine: float = 0.0) -> None:
        before, cost = self.decayed(clock)
        self.credit, self.cost = before + credit, cost + result.cost + result.wasted + fine
        self.clock = clock
        self.total_gain += result.new + FINDING_GAIN * result.found
        self.total_cost += result.cost
        self.batches += 1


_NOTHING: Final = Estimate()


class LearnSchedule:
    """The learning schedule; `logics` has the logic of each initial seed, and seeds may be added.

    `expected` has the expected yields of strategies relative to the mean. Added seeds take turns with the
    others if the schedule `mixes` them; otherwise they get a small share.
    """

    def __init__(
        self,
        logics: Sequence[str],
        arities: Mapping[str, int],
        rng: int,
        done: Iterable[int] = (),
        configurations: Sequence[str] = (),
        expected: Mapping[str, float] | None = None,
        mixes: bool = False,
    ) -> None:
        self._rng = rng
        numbers = set(done)
        self._next = max(numbers, default=-1) + 1
        # Batches that were under way when a campaign was killed.
        self._gaps = [n for n in range(max(0, self._next - WINDOW), self._next) if n not in numbers][::-1]
        shared = (n for n in range(self._next) if _is_shared(self._draws(n)))
        shared_before = [place for place, number in enumerate(shared) if number in numbers]
        self._even = EvenSchedule(logics, arities, rng, shared_before, configurations)
        self._arities = dict(arities)
        self._expected = expected or {}
        self._mixes = mixes
        # How many times as many turns a seed has as others that promise as much, by its place.
        self.energies: Mapping[int, float] = {}
        self._configurations = list(configurations)
        self._logics = list(logics)
        self._seeds = [Estimate() for _ in logics]
        # Places of seeds in use: those that are given, and those that were added.
        self._given = list(range(len(logics)))
        self._added: list[int] = []
        self._places: dict[str, list[int]] = {}
        for place, logic in enumerate(logics):
            self._places.setdefault(logic, []).append(place)
        self._out: set[int] = set()
        self._exhausted: set[tuple[int, str]] = set()
        # How often a seed was chosen for a strategy, and in which batches of this run.
        self._turns: Counter[tuple[int, str]] = Counter()
        self._chosen: set[int] = set()
        # What the batches of a strategy, a logic, a configuration, a kind of visits have brought.
        self._pools: dict[tuple[str, str], Estimate] = {}
        # Their credit is the number of mutants with new behaviour, and of those that were decided.
        self._usual_new = Estimate(half_life=_USUAL_HALF_LIFE)
        self._usual_decided = Estimate(half_life=_USUAL_HALF_LIFE)
        self._clock = 0.0
        self.arms: dict[Arm, Estimate] = {}

    def add(self, logic: str) -> int:
        """Add a seed; return its place."""
        place = len(self._logics)
        self._logics.append(logic)
        self._places.setdefault(logic, []).append(place)
        self._seeds.append(Estimate())
        self._added.append(place)
        return place

    def next(self) -> Slot | None:
        number = self._gaps[-1] if self._gaps else self._next
        rng = self._draws(number)
        slot = None if _is_shared(rng) else self._learned(number, rng)
        if slot is None:
            choice = self._even.next()
            if choice is None:
                return None
            slot = Slot(number, choice.strategy, choice.seeds, f"{self._rng}:{number}", choice.configuration)
        if self._gaps:
            self._gaps.pop()
        else:
            self._next += 1
        self._chosen.add(number)
        self._count_turn(slot)
        return slot

    def leave_out(self, seed: int) -> None:
        if seed in self._out:
            return
        self._out.add(seed)
        for strategy in self._arities:
            self._turns.pop((seed, strategy), None)
        self._places[self._logics[seed]].remove(seed)
        if seed in self._added:
            self._added.remove(seed)
        else:
            self._given.remove(seed)
            self._even.leave_out(seed)

    def exhaust(self, seed: int, strategy: str) -> None:
        self._exhausted.add((seed, strategy))
        self._even.exhaust(seed, strategy)

    def drop(self, configuration: str) -> None:
        self._even.drop(configuration)
        if configuration in self._configurations:
            self._configurations.remove(configuration)
            self.arms = {arm: one for arm, one in self.arms.items() if arm.configuration != configuration}

    def learn(self, slot: Slot, result: Yield) -> None:
        if slot.number not in self._chosen:  # by an earlier run
            self._count_turn(slot)
        self._chosen.discard(slot.number)
        self._clock += result.cost + result.wasted
        new = _NEW_SHARE * self._usual_seconds(self._usual_new, result, result.new)
        credit = (1 - _NEW_SHARE) * result.cost + new
        finding_credit = _FINDING_CREDIT * result.found
        arm = Arm(slot.strategy, self._logics[slot.seeds[0]] if slot.seeds else "", slot.configuration)
        estimates = [self.arms.setdefault(arm, Estimate())]
        estimates += [self._pools.setdefault(pool, Estimate()) for pool in arm._asdict().items()]
        if slot.seeds:
            estimates.append(self._pools.setdefault(self._visits(slot.seeds[0]), Estimate()))
        for one in estimates:
            one.add(result, min(_MOST_CREDIT, credit + finding_credit), self._clock)
        if slot.seeds:
            quick = self._usual_seconds(self._usual_decided, result, result.decided)
            credit = (1 - _NEW_SHARE) * min(quick, _MOST_QUICKNESS * result.cost) + new
            fine = _SHOWN_FINE * result.shown
            self._seeds[slot.seeds[0]].add(result, min(_MOST_CREDIT, credit), self._clock, fine)
        if result.is_spent and len(slot.seeds) == 1:
            # Only the even schedule comes back to what would be the same mutants.
            self._exhausted.add((slot.seeds[0], slot.strategy))

    def _count_turn(self, slot: Slot) -> None:
        if slot.seeds:
            self._turns[slot.seeds[0], slot.strategy] += 1

    def _usual_seconds(self, usual: Estimate, result: Yield, count: float) -> float:
        """The usual seconds of a batch with this number of mutants, including the current one."""
        usual.add(result, count, self._clock)
        all_of_late, seconds = usual.decayed(self._clock)
        return count * seconds / all_of_late if all_of_late else 0.0

    def rate(self, seed: int) -> float:
        """The credit of a seed per CPU second, with recent results counting more."""
        return self._mean(self._seeds[seed], 0.0)

    def _draws(self, number: int) -> Random:
        """The random numbers by which a batch is chosen."""
        return Random(f"{self._rng}:{number}:arm")

    def _learned(self, number: int, rng: Random) -> Slot | None:
        """The best of one draw; None if no strategy has a seed left."""
        configuration = self._configuration(rng)
        values = {
            name: self._drawn(self._pool("strategy", name), self._expected.get(name, 1.0), rng)
            for name in self._arities
        }
        for strategy in sorted(values, key=lambda name: (-values[name], name)):
            if self._arities[strategy] == 0:
                return Slot(number, strategy, (), f"{self._rng}:{number}", configuration)
            seed = self._seed(strategy, configuration, rng)
            if seed is not None:
                seeds = self._with_partners(seed, self._arities[strategy], rng)
                return Slot(number, strategy, seeds, f"{self._rng}:{number}", configuration)
        return None

    def _configuration(self, rng: Random) -> str:
        """Choose a configuration: other ones have a fixed share, because most behaviour they show is
        new, but few bugs need them.
        """
        if not self._configurations or rng.random() < PLAIN_SHARE:
            return PLAIN
        values = {
            name: self._drawn(self._pool("configuration", name), 1.0, rng) for name in self._configurations
        }
        return max(values, key=lambda name: (values[name], name))

    def _seed(self, strategy: str, configuration: str, rng: Random) -> int | None:
        """The next seed in turn for a strategy; None if the strategy has no mutants left for any seed."""
        some = self._seeds_in_turn(rng)
        turns: dict[int, float] = {}
        for seed in rng.sample(some, min(_CANDIDATES, len(some))):
            if (seed, strategy) in self._exhausted:
                continue
            logic = self._logics[seed]
            arm = self.arms.get(Arm(strategy, logic, configuration), _NOTHING)
            expectation = self._mean(arm, self._mean(self._pool("logic", logic), 1.0))
            visits = self._mean(self._pool(*self._visits(seed)), 1.0)
            value = self._drawn(self._seeds[seed], expectation * visits, rng)
            turns[seed] = (self._turns[seed, strategy] + rng.random()) / (
                value * self.energies.get(seed, 1.0)
            )
        return min(turns, key=lambda seed: (turns[seed], seed), default=None)

    def _seeds_in_turn(self, rng: Random) -> list[int]:
        """The seeds among which one is chosen: all if added seeds take turns with the others; if not, the
        given ones and now and then the added ones.
        """
        if self._mixes:
            return self._given + self._added
        share = _GROWN_SHARE * (1 - 0.5 ** (self._clock / _HALF_LIFE)) if self._given else 1.0
        return self._added if self._added and rng.random() < share else self._given or self._added

    def _with_partners(self, seed: int, arity: int, rng: Random) -> tuple[int, ...]:
        others = [other for other in self._places[self._logics[seed]] if other != seed] or [seed]
        return (seed, *(rng.choice(others) for _ in range(arity - 1)))

    def _visits(self, seed: int) -> tuple[str, str]:
        """The estimate of first visits of all seeds, or of later ones."""
        return "visits", "later" if self._seeds[seed].batches else "first"

    def _pool(self, field: str, value: str) -> Estimate:
        return self._pools.get((field, value), _NOTHING)

    def _mean(self, estimate: Estimate, expected: float) -> float:
        """The mean credit per second, from results and expectation."""
        credit, cost = estimate.decayed(self._clock)
        return (credit + expected * _EXPECTED_SECONDS) / (cost + _EXPECTED_SECONDS)

    def _drawn(self, estimate: Estimate, expected: float, rng: Random) -> float:
        """A random draw of the credit per second; the fewer results there are, the wider it varies."""
        credit, cost = estimate.decayed(self._clock)
        shape = credit + expected * _EXPECTED_SECONDS + _LEAST_CREDIT
        return rng.gammavariate(shape, 1.0 / (cost + _EXPECTED_SECONDS))


def _is_shared(rng: Random) -> bool:
    """Whether a batch belongs to the even schedule."""
    return rng.random() < FLOOR
