"""Repetitions: batches that are run again, because their worker was killed or findings were lost with a
message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from falsum.campaign.executors.executor import Loss, TaskResult
from falsum.campaign.outcome import BatchOutcome

# A batch whose worker was killed is run again, but not for ever.
_MAX_KILLS: Final = 10


class Repetitions:
    """Decides which batches to run again; `signatures` are those of the findings in the store."""

    def __init__(self, signatures: Iterable[str]) -> None:
        self._known = set(signatures)
        self._kills: Counter[int] = Counter()
        self._incomplete: set[int] = set()

    def after_kill(self, result: TaskResult) -> bool:
        """Whether to run a task without a result again."""
        if not result.lost or result.loss is not Loss.KILLED:
            return False
        self._kills[result.number] += 1
        return self._kills[result.number] <= _MAX_KILLS

    def after_loss_of_findings(self, outcome: BatchOutcome) -> bool:
        """Whether an outcome refers to findings that never arrived.

        A worker sends a finding once, and then only its signature. If the finding was lost on the way, a
        worker without memory finds it again.
        """
        self._known.update(finding.signature for finding in outcome.findings)
        number = outcome.record.number
        if number in self._incomplete or all(one.signature in self._known for one in outcome.sightings):
            return False
        self._incomplete.add(number)
        return True
