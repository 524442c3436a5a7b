"""CampaignRun: hands out batches, records outcomes, has findings triaged; the same for scripts and libraries.

Every finding takes the same steps: found and confirmed by the worker that runs the batch, recorded here, and
triaged in the background.
"""

from __future__ import annotations

import time
from collections import deque
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Final, Protocol

import msgspec

from falsum.campaign.executors.executor import Executor, Loss, Task, TaskResult, WorkerStatus, afresh
from falsum.campaign.interruptions import Interruptions
from falsum.campaign.lifecycle.policy import FindingPolicy
from falsum.campaign.outcome import BatchOutcome
from falsum.campaign.pause import Pause
from falsum.campaign.plan import Plan
from falsum.campaign.progress import (
    COUNTED,
    EXHAUSTED,
    FOUND_ENOUGH,
    INTERRUPTED,
    TIMED,
    State,
    Status,
    Watcher,
)
from falsum.campaign.repetitions import Repetitions
from falsum.campaign.triage.background import BackgroundTriage
from falsum.errors import SurroundingsError, shortage_in
from falsum.store.finding_folder import name_of
from falsum.store.records import Activity
from falsum.store.store import FINDINGS, Store

_LOOK_SECONDS: Final = 0.2


class Workload(Protocol):
    """The kind of a campaign: which batches there are, and what is learned from their outcomes."""

    @property
    def plan(self) -> Plan: ...

    @property
    def is_complete(self) -> bool:
        """Whether the count of the plan is reached."""
        ...

    @property
    def max_empty_batches(self) -> int:
        """The number of consecutive batches without work after which no more are handed out."""
        ...

    def next(self, elapsed: float, jobs: int) -> Task | None:
        """The next batch; None if there is nothing to hand out now."""
        ...

    def lost(self, number: int, why: str, loss: Loss) -> BatchOutcome:
        """The outcome of a batch that was handed out and did not come back."""
        ...

    def take(self, outcome: BatchOutcome) -> None:
        """Learn from an outcome, which is in the store already."""
        ...

    def grace(self, *, interrupted: bool) -> float:
        """The seconds that running batches may take when the campaign ends."""
        ...

    def state(self, status: Status) -> State: ...


class CampaignRun:
    """One run of a campaign, new or resumed."""

    def __init__(
        self,
        workload: Workload,
        store: Store,
        number: int,
        watcher: Watcher,
        triage: BackgroundTriage | None = None,
        policy: FindingPolicy | None = None,
    ) -> None:
        self._workload = workload
        self._store = store
        self._number = number
        self._watcher = watcher
        self._triage = triage
        self._policy = policy or FindingPolicy()
        before = store.campaign(number)
        self._elapsed_before = before.elapsed if before else 0.0
        self._started = time.monotonic()
        self._kinds = store.kinds(number)
        sightings = store.sightings(number)
        self._sightings = len(sightings)
        self._seen = {signature for _batch, _place, signature in sightings}
        self._jobs = 0
        self._workers: WorkerStatus | None = None
        self._empty_batches = 0
        self._faults = len(store.faults(number))
        # What could not be done because the machine lacked something.
        self._pause = Pause(watcher)
        self._tasks: dict[int, Task] = {}
        self._to_run_again: deque[Task] = deque()
        self._repetitions = Repetitions(one.signature for one in store.findings())
        self._to_record: deque[BatchOutcome] = deque()

    def run(self, executor: Executor) -> str:
        """Work until the count, the time limit or a signal ends the campaign; close the executor; return the
        reason.
        """
        self._jobs = executor.idle
        self._workers = executor.status
        triage = nullcontext() if self._triage is None else closing(self._triage)
        with Interruptions() as interruptions, closing(executor), triage:
            self._watcher.begin(self.state())
            if self._triage is not None:
                self._triage.begin([self._folder(one.folder) for one in self._store.findings()])
            reason = self._work(executor, interruptions)
            self._wind_up(executor, interruptions, reason)
            self._finish_triage(interruptions, reason)
            self._policy.finish()
        self._store.end(self._number, reason, self.elapsed)
        return reason

    @property
    def elapsed(self) -> float:
        """Seconds, earlier runs of the campaign included."""
        return self._elapsed_before + time.monotonic() - self._started

    def state(self) -> State:
        plan = self._workload.plan
        status = Status(
            elapsed=self.elapsed,
            cpu=time.process_time(),
            jobs=self._jobs,
            kinds=self._kinds,
            sightings=self._sightings,
            count=plan.count,
            seconds=plan.seconds,
            faults=self._faults,
            workers=self._workers,
        )
        return self._workload.state(status)

    def _work(self, executor: Executor, interruptions: Interruptions) -> str:
        while True:
            self._record_waiting()
            while not self._pause.is_on and executor.idle and (task := self._next()) is not None:
                self._submit(executor, task)
            if executor.busy:
                self._take_results(executor)
            elif self._to_record or self._to_run_again:
                time.sleep(_LOOK_SECONDS)
            else:
                return self._limit_reached() or EXHAUSTED
            self._workers = executor.status
            if self._workers is not None:  # workers come and go
                self._jobs = self._workers.slots
            self._look_after_triage()
            self._policy.look()
            self._watcher.look(self.state())
            if reason := INTERRUPTED if interruptions.count else self._limit_reached():
                return reason

    def _limit_reached(self) -> str:
        if self._workload.is_complete:
            return COUNTED
        if self._policy.is_enough:
            return FOUND_ENOUGH
        seconds = self._workload.plan.seconds
        return TIMED if seconds is not None and self.elapsed >= seconds else ""

    def _submit(self, executor: Executor, task: Task) -> None:
        self._tasks[task.number] = task
        try:
            executor.submit(task)
        except OSError as error:
            self._hold(task.number, shortage_in(error), error)

    def _hold(self, number: int, shortage: str, error: Exception | None = None) -> None:
        """Run a task again later, because the machine lacks something and the task is not at fault."""
        if error is not None and not shortage:
            raise error
        self._to_run_again.append(afresh(self._tasks.pop(number)))
        self._pause.begin(shortage)

    def _run_again(self, number: int, why: str) -> None:
        self._to_run_again.append(afresh(self._tasks.pop(number)))
        self._watcher.again(number, why)

    def _next(self) -> Task | None:
        if self._to_run_again:
            return self._to_run_again.popleft()
        if self._empty_batches > self._workload.max_empty_batches:
            return None
        return self._workload.next(self.elapsed, self._jobs)

    def _take_results(self, executor: Executor) -> None:
        for result in executor.results(_LOOK_SECONDS):
            readable = _readable(result)
            if readable is not result:
                executor.distrust(result.worker, readable.lost)
            self._take_result(readable)

    def _take_result(self, result: TaskResult) -> None:
        if result.shortage:
            self._hold(result.number, result.shortage)
            return
        if self._repetitions.after_kill(result):
            self._run_again(result.number, result.lost)
            return
        if result.lost:
            outcome = self._workload.lost(result.number, result.lost, result.loss)
        else:
            outcome = msgspec.msgpack.decode(result.body, type=BatchOutcome)
            if self._repetitions.after_loss_of_findings(outcome):
                self._run_again(result.number, "one of its findings was sent before and did not arrive")
                return
        del self._tasks[result.number]
        self._to_record.append(outcome)
        self._record_waiting()

    def _record_waiting(self, *, at_last: bool = False) -> None:
        """Record the waiting outcomes, unless the store still has no room."""
        while self._to_record and (at_last or not self._pause.is_on):
            try:
                self._take(self._to_record[0])
            except (OSError, SurroundingsError) as error:
                if not (why := shortage_in(error)):
                    raise
                self._pause.begin(why)
                if at_last:
                    return
            else:
                self._to_record.popleft()
                self._pause.end()

    def _take(self, outcome: BatchOutcome) -> None:
        """Record an outcome and learn from it; nothing is changed if it cannot be recorded."""
        outcome = msgspec.structs.replace(outcome, findings=tuple(self._policy.unknown(outcome.findings)))
        new = self._store.record(
            self._number,
            outcome.record,
            seeds=outcome.seeds,
            findings=outcome.findings,
            sightings=outcome.sightings,
            faults=outcome.faults,
            timeouts=outcome.timeouts,
            elapsed=self.elapsed,
            activity=Activity(self._jobs),
        )
        self._sightings += len(outcome.findings) + len(outcome.sightings)
        for finding in outcome.findings:
            if finding.signature not in self._seen:
                self._seen.add(finding.signature)
                self._kinds[finding.kind] = self._kinds.get(finding.kind, 0) + 1
            if finding.signature in new:
                folder = self._folder(name_of(finding))
                self._watcher.finding(finding, folder)
                self._policy.found(folder, is_triaged_later=self._triage is not None)
                if self._triage is not None:
                    self._triage.add(folder)
        self._faults += len(outcome.faults)
        for fault in outcome.faults:
            self._watcher.fault(outcome.record, fault)
        self._empty_batches = 0 if outcome.record.made else self._empty_batches + 1
        self._workload.take(outcome)

    def _wind_up(self, executor: Executor, interruptions: Interruptions, reason: str) -> None:
        """Take the running batches that end in time; `--resume` runs the rest again."""
        executor.stop()
        until = time.monotonic() + self._workload.grace(interrupted=reason == INTERRUPTED)
        while executor.busy and time.monotonic() < until and interruptions.count < 2:
            self._take_results(executor)
        self._record_waiting(at_last=True)
        if self._to_record:
            raise SurroundingsError(
                f"{self._store.folder}: no room for the last {len(self._to_record)} batches; "
                "all others are recorded, and --resume runs these again"
            )

    def _look_after_triage(self) -> None:
        if self._triage is not None and not self._pause.is_on:
            for folder, result in self._triage.look(self._jobs):
                self._policy.triaged(folder)
                self._watcher.triaged(folder, result)

    def _finish_triage(self, interruptions: Interruptions, reason: str) -> None:
        if self._triage is not None and reason != INTERRUPTED:
            for folder, result in self._triage.finish(self.elapsed, lambda: bool(interruptions.count)):
                self._policy.triaged(folder)
                self._watcher.triaged(folder, result)

    def _folder(self, name: str) -> Path:
        return self._store.folder / FINDINGS / name


def _readable(result: TaskResult) -> TaskResult:
    """The result, or a loss if its body is not an outcome of its batch, as from a broken machine."""
    if result.lost or result.shortage:
        return result
    try:
        outcome = msgspec.msgpack.decode(result.body, type=BatchOutcome)
    except msgspec.DecodeError as error:
        return TaskResult(result.number, lost=f"no outcome of a batch: {error}", loss=Loss.KILLED)
    if outcome.record.number != result.number:
        return TaskResult(result.number, lost="the outcome of another batch", loss=Loss.KILLED)
    return result
