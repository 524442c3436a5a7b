"""Schedules compared in a made-up campaign: what each gains in so many batches, against the even schedule.

A batch of an arm gains a Poisson number of events; the rate of an arm is drawn at random, few arms are rich,
and each gain makes the next one of the same arm or seed rarer. Compared are the even schedule, the one that
falsum uses (Thompson sampling) and the same with upper confidence bounds. Prints the mean gain over the
worlds, as a multiple of the even schedule's, and the mean CPU time of one choice.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections import Counter
from collections.abc import Callable
from random import Random

from bench.command import command_parser

from falsum.campaign.search.even import EvenSchedule
from falsum.campaign.search.learn import Estimate, LearnSchedule
from falsum.campaign.search.schedule import Schedule, Slot, Yield

_LOGICS = [f"L{number % 12}" for number in range(240)]
_ARITIES = dict.fromkeys([f"s{number}" for number in range(12)], 1)
_CONFIGURATIONS = [f"c{number}" for number in range(20)]
# A source loses half of what it gives after so many gains.
_HALVED_AFTER = 30


class UpperBoundSchedule(LearnSchedule):
    """Takes the arm with the highest upper confidence bound (UCB1 for rates) instead of the highest draw."""

    def _drawn(self, known: Estimate, expected: float, rng: Random) -> float:
        credit, cost = known.decayed(self._clock)
        seconds = cost + 2.0
        mean = (credit + 2.0 * expected) / seconds
        bound = math.sqrt(2 * (mean + 0.05) * math.log(self._clock + 2) / seconds)
        return mean + bound + 1e-9 * rng.random()


class World:
    """Rates that are hidden from the schedule."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._rng = Random(number)
        self._rates: dict[str, float] = {}
        self._gained: Counter[str] = Counter()
        self.gain = 0.0

    def result(self, slot: Slot) -> Yield:
        parts = (slot.strategy, _LOGICS[slot.seeds[0]], slot.configuration, f"seed {slot.seeds[0]}")
        rate = 0.3
        for part in parts:
            if part not in self._rates:
                self._rates[part] = Random(f"{self._number}:{part}").paretovariate(1.5) - 0.7
            rate *= self._rates[part] * 0.5 ** (self._gained[part] / (_HALVED_AFTER * 20))
        rate *= 0.5 ** (self._gained[" ".join(parts)] / _HALVED_AFTER)
        cost = self._rng.uniform(0.3, 1.5)
        gain = self._poisson(min(20.0, rate * cost))
        for part in (*parts, " ".join(parts)):
            self._gained[part] += gain
        self.gain += gain
        return Yield(gain, cost)

    def _poisson(self, mean: float) -> int:
        limit, product, count = math.exp(-mean), self._rng.random(), 0
        while product > limit:
            product *= self._rng.random()
            count += 1
        return count


def gain_of(make: Callable[..., Schedule], number: int, batches: int) -> tuple[float, float]:
    """What a schedule gains in a world, and CPU seconds for each choice."""
    world = World(number)
    schedule = make(_LOGICS, _ARITIES, number, (), _CONFIGURATIONS)
    start = time.process_time()
    for _ in range(batches):
        slot = schedule.next()
        if slot is None:
            break
        schedule.learn(slot, world.result(slot))
    return world.gain, (time.process_time() - start) / batches


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.schedules", __doc__)
    made.add_argument("--worlds", type=int, default=10, metavar="N", help="worlds (default 10)")
    made.add_argument("--batches", type=int, default=2000, metavar="N", help="batches in each (default 2000)")
    return made


def main() -> None:
    args = parser().parse_args()
    sides: dict[str, Callable[..., Schedule]] = {
        "even": EvenSchedule,
        "learn (Thompson sampling)": LearnSchedule,
        "learn (upper bounds)": UpperBoundSchedule,
    }
    even: list[float] = []
    for name, make in sides.items():
        results = [gain_of(make, number, args.batches) for number in range(args.worlds)]
        even = even or [gain for gain, _seconds in results]
        ratios = [gain / base for (gain, _seconds), base in zip(results, even, strict=True)]
        seconds = statistics.mean(seconds for _gain, seconds in results)
        spread = f"from {min(ratios):.2f} to {max(ratios):.2f}"
        mean = statistics.mean(ratios)
        print(f"{name:28}{mean:6.2f} times even ({spread}){1000 * seconds:8.2f} ms per choice")


if __name__ == "__main__":
    main()
