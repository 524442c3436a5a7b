"""Visit: how long a batch stays with its seeds, by CPU time and mutants."""

from __future__ import annotations

import math

from falsum.campaign.fuzz.batch import Batch


class Visit:
    """The CPU time of a batch: preparing its seeds, until the first mutant, and the mutants.

    A visit that took long to prepare goes on until its mutants have taken as long.
    """

    def __init__(self, batch: Batch, cpu: float) -> None:
        self._batch = batch
        self._began = cpu
        self._first: float | None = None

    def is_used_up(self, cpu: float) -> bool:
        """Whether no mutant may follow; asked before each of them."""
        if self._first is None:
            self._first = cpu
            return False
        return cpu - self._first >= max(self._batch.cpu, self._first - self._began)

    def is_enough(self, mutants: int, cpu: float) -> bool:
        """Whether there are as many mutants as there should be; asked after each of them."""
        assert self._first is not None
        is_worth_it = cpu - self._first >= self._first - self._began
        return mutants >= self._batch.count or (mutants >= (self._batch.enough or math.inf) and is_worth_it)
