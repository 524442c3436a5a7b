"""Trials that run on the workers of an executor, such as a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol

import msgspec

from falsum.campaign.executors.executor import Executor, Task
from falsum.contest.trials import ContestTrial, TrialTask, run_trial
from falsum.errors import FalsumError, SurroundingsError

RUNNER: Final = "falsum.contest.remote_trials:TrialRunner"
# A trial has limits of its own; a worker that takes longer than this hangs.
_MAX_SECONDS: Final = 7 * 86400.0
_WAIT_SECONDS: Final = 0.5


class TrialResult(msgspec.Struct, frozen=True):
    """A finished trial, or why there is none."""

    trial: ContestTrial | None = None
    error: str = ""


class _Task(Protocol):
    @property
    def body(self) -> bytes: ...


class TrialRunner:
    """Runs a trial in a worker."""

    def run(self, task: _Task, stopping: Callable[[], bool]) -> bytes:
        del stopping  # a trial that is not finished counts for nothing
        try:
            result = TrialResult(run_trial(msgspec.msgpack.decode(task.body, type=TrialTask)))
        except FalsumError as error:
            result = TrialResult(error=str(error))
        return msgspec.msgpack.encode(result)

    def close(self) -> None:
        """Do nothing: nothing is kept between trials."""


def remote_trials(tasks: Sequence[TrialTask], executor: Executor) -> Iterator[ContestTrial]:
    """The trials in the order in which they are finished."""
    waiting = list(enumerate(tasks))[::-1]
    under_way = 0
    while waiting or under_way:
        while waiting and executor.idle > 0:
            number, task = waiting.pop()
            executor.submit(Task(number, RUNNER, msgspec.msgpack.encode(task), _MAX_SECONDS))
            under_way += 1
        for answer in executor.results(_WAIT_SECONDS):
            under_way -= 1
            yield _trial(answer.body, answer.lost or answer.shortage, tasks[answer.number])


def _trial(body: bytes, lost: str, task: TrialTask) -> ContestTrial:
    result = TrialResult(error=lost.strip()) if lost else msgspec.msgpack.decode(body, type=TrialResult)
    if result.trial is None:
        raise SurroundingsError(f"{task.fuzzer.name}, trial {task.number}: not run: {result.error}")
    return result.trial
