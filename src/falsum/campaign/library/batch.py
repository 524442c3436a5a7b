"""LibraryBatch: some runs of one library, by their numbers; LibraryTally: their results; plain data."""

from __future__ import annotations

from collections import Counter
from typing import Final

import msgspec

from falsum.api.model.settings import Settings
from falsum.api.run_result import RunResult, RunStatus
from falsum.campaign.outcome import BatchOutcome
from falsum.campaign.program_marks import ProgramMark
from falsum.campaign.tally import Tally
from falsum.solvers.messages import without_call_noise
from falsum.store.records import LIBRARY_RUNS, BatchRecord, FaultRecord

STRATEGY: Final = LIBRARY_RUNS


class LibraryTally(Tally):
    """`errors` are messages of refusals, exceptions, known failures and empty runs; `lines` are calls.

    `unconfirmed` counts crashes that no new process showed. `uses` are the runs with each action, theory,
    operator and option, if edges guide the campaign.
    """

    runs: int = 0
    lines: int = 0
    endings: dict[str, int] = msgspec.field(default_factory=dict)
    verdicts: dict[str, int] = msgspec.field(default_factory=dict)
    errors: dict[str, int] = msgspec.field(default_factory=dict)
    unconfirmed: int = 0
    cpu: float = 0.0
    uses: dict[str, int] = msgspec.field(default_factory=dict)

    def count(self, outcome: RunResult) -> None:
        errors = {}
        if outcome.status in (RunStatus.RAISED, RunStatus.REFUSED, RunStatus.KNOWN, RunStatus.EMPTY):
            errors = {f"{outcome.status}: {without_call_noise(outcome.evidence)}": 1}
        verdicts = dict(Counter(outcome.verdicts))
        self.add(LibraryTally(1, len(outcome.trace.steps), {str(outcome.status): 1}, verdicts, errors))


class LibraryBatch(msgspec.Struct, frozen=True):
    """Runs `first` to `first + count - 1` of a library, as many as fit into `seconds`.

    `others` are the solvers its answers are compared with, `mark` what its files were at the start. If it is
    `guided`, edges are watched, and `weights` say what runs choose more often than usual.
    """

    number: int
    solver: str
    others: tuple[str, ...]
    settings: Settings
    first: int
    count: int
    seconds: float
    mark: ProgramMark | None = None
    guided: bool = False
    weights: dict[str, float] = {}

    def record(self, tally: LibraryTally, seconds: float, ending: str) -> BatchRecord:
        plain = tally.plain() | {"first": self.first}
        return BatchRecord(self.number, STRATEGY, self.solver, tally.runs, seconds, ending, plain)


def without_runs(batch: LibraryBatch, ending: str, why: str) -> BatchOutcome:
    """The outcome of a batch that could not be run."""
    return BatchOutcome(batch.record(LibraryTally(), 0.0, ending), faults=(FaultRecord(0, why),))
