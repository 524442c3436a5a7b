"""EvenSchedule: every seed and strategy gets the same share; a batch depends on its number alone.

Batches go in rounds. A round has every seed once, with logics mixed in proportion throughout, and every seed
meets the strategies in turn: so at any moment seeds, strategies and logics have had equal shares. Most
batches use the plain configuration. The numbers of filtered or slow seeds are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from falsum.campaign.search.schedule import PLAIN, Slot, Yield

# Batches with numbers this far below the highest one done may have been under way in a killed run, on a
# cluster of a thousand workers as well.
WINDOW: Final = 1 << 16
# Batches in the plain configuration: the others cost more and seldom show what these do not.
PLAIN_SHARE: Final = 0.9
_MAX_PAUSE: Final = 32
# After so many rounds without a batch there is none.
_MAX_ROUNDS: Final = 2048


class EvenSchedule:
    """The even schedule; `logics` has the logic of every seed, `arities` the strategies with their numbers of
    seeds.

    `configurations` are those other than the plain one.
    """

    def __init__(
        self,
        logics: Sequence[str],
        arities: Mapping[str, int],
        rng: int,
        done: Iterable[int] = (),
        configurations: Sequence[str] = (),
    ) -> None:
        self._logics = logics
        self._arities = dict(arities)
        self._names = tuple(arities)
        self._rng = rng
        self._configurations = tuple(configurations)
        self._dropped: set[str] = set()
        self._done = set(done)
        self._next = max(0, max(self._done, default=-1) - WINDOW)
        self._groups: dict[str, list[int]] = {}
        for place, logic in enumerate(logics):
            self._groups.setdefault(logic, []).append(place)
        self._out: set[int] = set()
        self._exhausted: set[tuple[int, str]] = set()
        self._pause: dict[int, int] = {}
        self._pauses_until: dict[int, int] = {}
        self._round = lru_cache(maxsize=2)(self._made_round)

    def slot(self, number: int) -> Slot:
        """What a number means."""
        size = len(self._logics)
        turn, position = divmod(number, size)
        seed = self._round(turn)[position]
        strategy = self._names[(seed + turn) % len(self._names)]
        rng = f"{self._rng}:{number}"
        seeds = self._with_partners(seed, self._arities[strategy], rng)
        return Slot(number, strategy, seeds, rng, self._configuration(rng))

    def next(self) -> Slot | None:
        if len(self._out) >= len(self._logics):
            return None
        size = len(self._logics)
        for looked_at in range(_MAX_ROUNDS * size):
            slot = self.slot(self._next)
            self._next += 1
            if slot.number in self._done or any(seed in self._out for seed in slot.seeds):
                continue
            if slot.configuration in self._dropped:
                continue
            if any((seed, slot.strategy) in self._exhausted for seed in slot.seeds):
                continue
            # If all seeds pause, one has to be taken all the same.
            if looked_at >= size or not self._pauses(slot):
                return slot
        return None

    def leave_out(self, seed: int) -> None:
        self._out.add(seed)

    def exhaust(self, seed: int, strategy: str) -> None:
        self._exhausted.add((seed, strategy))

    def drop(self, configuration: str) -> None:
        self._dropped.add(configuration)

    def learn(self, slot: Slot, result: Yield) -> None:
        """Learn from a batch: after one that mostly timed out its seed pauses, longer each time."""
        seed = slot.seeds[0] if slot.seeds else None
        if seed is None:
            return
        if not result.mostly_timeouts:
            self._pause[seed] = self._pause.get(seed, 0) // 2
            return
        self._pause[seed] = min(_MAX_PAUSE, 2 * self._pause.get(seed, 0) + 1)
        self._pauses_until[seed] = slot.number // len(self._logics) + self._pause[seed]

    def _configuration(self, rng: str) -> str:
        drawing = Random(f"{rng}:configuration")
        is_plain = not self._configurations or drawing.random() < PLAIN_SHARE
        return PLAIN if is_plain else drawing.choice(self._configurations)

    def _pauses(self, slot: Slot) -> bool:
        turn = slot.number // len(self._logics)
        return any(turn <= self._pauses_until.get(seed, -1) for seed in slot.seeds)

    def _made_round(self, turn: int) -> list[int]:
        """The seeds of a round in order: each logic is shuffled and spread evenly over the round."""
        rng = Random(f"{self._rng}:round:{turn}")
        keyed: list[tuple[float, float, int]] = []
        for group in self._groups.values():
            shuffled = rng.sample(group, len(group))
            shift = rng.random()
            keyed += [((i + shift) / len(group), rng.random(), seed) for i, seed in enumerate(shuffled)]
        return [seed for _position, _tie, seed in sorted(keyed)]

    def _with_partners(self, seed: int, arity: int, rng: str) -> tuple[int, ...]:
        if arity <= 1:
            return (seed,)[:arity]
        drawing = Random(f"{rng}:partners")
        group = [other for other in self._groups[self._logics[seed]] if other != seed]
        others = group or [other for other in range(len(self._logics)) if other != seed] or [seed]
        return (seed, *(drawing.choice(others) for _ in range(arity - 1)))
