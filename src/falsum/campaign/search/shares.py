"""Shares: the number of mutants of each batch of an even schedule, for campaigns that count mutants.

It depends on the number of a batch and on the mutants of earlier batches, never on time or on how many run at
once. So a count gives the same mutants with any number of workers, killed and resumed or not.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping


class Shares:
    """The shares of batches, in rounds that together make the remaining mutants; the last of a round makes
    the rest.

    Some make fewer than they may, so the next round begins when all batches of a round are recorded: `made`
    has their mutants by number, and is kept by the caller.
    """

    def __init__(self, count: int, per_visit: int, counts: Mapping[int, int]) -> None:
        self._left = count
        self._per_visit = per_visit
        self._made = counts
        self._start = 0

    def of(self, number: int, under_way: Container[int]) -> int:
        """The share of a batch, requested in the order of numbers; 0 if others must be recorded first.

        A number that is neither running nor recorded was skipped.
        """
        while self._left > 0 and number >= self._start + self._size:
            numbers = range(self._start, self._start + self._size)
            if any(each in under_way for each in numbers):
                return 0
            self._start += len(numbers)
            self._left -= sum(self._made.get(each, 0) for each in numbers)
        return min(self._per_visit, max(0, self._left - self._per_visit * (number - self._start)))

    @property
    def _size(self) -> int:
        return math.ceil(self._left / self._per_visit)
