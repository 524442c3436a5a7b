"""LibraryTally: counts of library runs: how they ended, what the library answered, which errors it gave."""

from __future__ import annotations

from collections import Counter

import msgspec

from falsum.api.run_result import RunResult, RunStatus
from falsum.campaign.tally import Tally
from falsum.solvers.messages import without_call_noise


class LibraryTally(Tally):
    """`errors` are messages of refusals, exceptions, known failures and empty runs; `lines` are calls.

    `unconfirmed` counts crashes that no new process showed.
    """

    runs: int = 0
    lines: int = 0
    endings: dict[str, int] = msgspec.field(default_factory=dict)
    verdicts: dict[str, int] = msgspec.field(default_factory=dict)
    errors: dict[str, int] = msgspec.field(default_factory=dict)
    unconfirmed: int = 0
    cpu: float = 0.0

    def count(self, outcome: RunResult) -> None:
        errors = {}
        if outcome.status in (RunStatus.RAISED, RunStatus.REFUSED, RunStatus.KNOWN, RunStatus.EMPTY):
            errors = {f"{outcome.status}: {without_call_noise(outcome.evidence)}": 1}
        verdicts = dict(Counter(outcome.verdicts))
        self.add(LibraryTally(1, len(outcome.trace.steps), {str(outcome.status): 1}, verdicts, errors))
