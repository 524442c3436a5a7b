"""LibraryBatch: some runs of one library, by their numbers; plain data."""

from __future__ import annotations

from typing import Final

import msgspec

from falsum.api.model.settings import Settings
from falsum.campaign.library.tally import LibraryTally
from falsum.campaign.outcome import BatchOutcome
from falsum.campaign.program_marks import ProgramMark
from falsum.store.records import LIBRARY_RUNS, BatchRecord, FaultRecord

STRATEGY: Final = LIBRARY_RUNS


class LibraryBatch(msgspec.Struct, frozen=True):
    """Runs `first` to `first + count - 1` of a library, as many as fit into `seconds`.

    `others` are the solvers its answers are compared with, `mark` what its files were at the start.
    """

    number: int
    solver: str
    others: tuple[str, ...]
    settings: Settings
    first: int
    count: int
    seconds: float
    mark: ProgramMark | None = None

    def record(self, tally: LibraryTally, seconds: float, ending: str) -> BatchRecord:
        plain = tally.plain() | {"first": self.first}
        return BatchRecord(self.number, STRATEGY, self.solver, tally.runs, seconds, ending, plain)


def without_runs(batch: LibraryBatch, ending: str, why: str) -> BatchOutcome:
    """The outcome of a batch that could not be run."""
    return BatchOutcome(batch.record(LibraryTally(), 0.0, ending), faults=(FaultRecord(0, why),))
