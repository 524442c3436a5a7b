"""Which batches are run again; `test_campaign.py` has the campaign around it."""

from __future__ import annotations

import pytest

from falsum.campaign.executors.executor import Loss, TaskResult
from falsum.campaign.repetitions import Repetitions


@pytest.mark.parametrize(
    ("result", "again"),
    [
        (TaskResult(1, b"body", loss=Loss.KILLED), 0),
        (TaskResult(1, lost="too long", loss=Loss.LIMIT), 0),
        (TaskResult(1, lost="ZeroDivisionError"), 0),
        (TaskResult(1, lost="status -9", loss=Loss.KILLED), 10),
    ],
)
def test_only_kills_are_repeated_and_not_for_ever(result: TaskResult, again: int) -> None:
    repetitions = Repetitions([])
    assert sum(repetitions.after_kill(result) for _ in range(20)) == again
