"""Visit: how long a batch stays with its seeds, by CPU time and mutants, and with a chain of mutations."""

from __future__ import annotations

import math
from collections.abc import Mapping

from falsum.campaign.fuzz.batch import Batch
from falsum.solvers.answer import Answer, EndingKind
from falsum.store.records import MeasureRecord
from falsum.strategies.mutant import PARAMETERS, Mutant


class Visit:
    """The CPU time of a batch: preparing its seeds, until the first mutant, and the mutants.

    A visit that took long to prepare goes on until its mutants have taken as long. What is made from a mutant
    that is too hard is most often too hard as well, and left out (`by_time`).
    """

    def __init__(self, batch: Batch, cpu: float) -> None:
        self._batch = batch
        self._began = cpu
        self._first: float | None = None
        self._hard: tuple[str, ...] = ()

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

    def look_at(
        self, mutant: Mutant, answers: Mapping[str, Answer], measures: Mapping[str, MeasureRecord]
    ) -> None:
        """Note a mutant for which a solver took too long that was in time for the seed."""
        is_hard = any(
            answer.ending.kind is EndingKind.TIMED_OUT and measures[solver].ending == EndingKind.FINISHED
            for solver, answer in answers.items()
            if solver in measures
        )
        if is_hard and self._batch.by_time:
            self._hard = _edits(mutant)

    def is_too_hard(self, mutant: Mutant) -> bool:
        """Whether a mutant was made from one that was too hard: its lineage continues that one's."""
        if not self._hard:
            return False
        edits, length = _edits(mutant), len(self._hard)
        return length < len(edits) and edits[:length] == self._hard


def _edits(mutant: Mutant) -> tuple[str, ...]:
    """The lineage without the strategy's parameters, which stand at its end."""
    return tuple(line for line in mutant.lineage if not line.startswith(PARAMETERS))
