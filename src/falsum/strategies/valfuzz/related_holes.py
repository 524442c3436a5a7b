"""RelatedHoles: the subsets of a seed's holes between which relations are monitored (RELC)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Final

from falsum.strategies.valfuzz.holes import Hole

_NONE: Final = "-"
# Random pairs tried before all pairs are searched for one that was not related yet.
_TRIES: Final = 20


@dataclass(slots=True)
class RelatedHoles:
    """Subsets of at most `size` holes, each by their numbers; the last one is the current one."""

    holes: Sequence[Hole]
    size: int
    subsets: list[tuple[int, ...]] = field(default_factory=list)

    @property
    def current(self) -> tuple[int, ...]:
        return self.subsets[-1] if self.subsets else ()

    @property
    def is_exhausted(self) -> bool:
        """Whether all holes of one sort were together in some subset."""
        if self.size < 2:
            return True
        counts = Counter(hole.sort for hole in self.holes)
        return len(self._related()) == sum(count * (count - 1) // 2 for count in counts.values())

    def draw(self, rng: Random) -> None:
        """Another subset: the first one drawn uniformly, further ones with a pair that is new."""
        numbers = range(len(self.holes))
        choice = rng.sample(numbers, min(self.size, len(self.holes)))
        if self.subsets and not self.is_exhausted:
            pair = self._new_pair(rng)
            others = [number for number in choice if number not in pair]
            choice = [*pair, *others[: self.size - 2]]
        self.subsets.append(tuple(sorted(choice)))

    def _new_pair(self, rng: Random) -> tuple[int, int]:
        related = self._related()
        for _ in range(_TRIES):
            first, second = sorted(rng.sample(range(len(self.holes)), 2))
            if self._is_pair(first, second) and (first, second) not in related:
                return first, second
        pairs = combinations(range(len(self.holes)), 2)
        return rng.choice([pair for pair in pairs if self._is_pair(*pair) and pair not in related])

    def _related(self) -> set[tuple[int, int]]:
        pairs = (pair for subset in self.subsets for pair in combinations(subset, 2))
        return {pair for pair in pairs if self._is_pair(*pair)}

    def _is_pair(self, first: int, second: int) -> bool:
        return self.holes[first].sort is self.holes[second].sort

    @property
    def memory(self) -> str:
        """The subsets as text for the next visit."""
        return ";".join(".".join(map(str, subset)) or _NONE for subset in self.subsets) or _NONE

    def recall(self, memory: str) -> None:
        """Takes over the subsets of earlier visits; those of other holes are dropped."""
        words = [word.split(".") for word in memory.split(";") if word and word != _NONE]
        if all(number.isdecimal() and int(number) < len(self.holes) for word in words for number in word):
            self.subsets = [tuple(map(int, word)) for word in words]
