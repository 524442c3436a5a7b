"""A campaign over libraries: batches of runs in worker processes; findings and time-outs are kept."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

import msgspec

from falsum.api.model.settings import Settings
from falsum.campaign.executors.executor import Task, TaskResult
from falsum.campaign.executors.processes import ProcessPool
from falsum.campaign.fuzz.campaign import COUNTED, INTERRUPTED, TIMED
from falsum.campaign.interruptions import Interruptions
from falsum.campaign.library import triage
from falsum.campaign.library.batch import ApiBatch, ApiOutcome, ApiTally
from falsum.campaign.triage import result
from falsum.errors import SurroundingsError, UsageError
from falsum.store import finding_folder as folder
from falsum.store.records import BatchRecord, FaultRecord, FindingRecord
from falsum.store.store import FINDINGS

if TYPE_CHECKING:
    from pathlib import Path

    from falsum.store.store import Store

RUNNER: Final = "falsum.campaign.library.runner:LibraryRunner"
TIMEOUTS: Final = "timeouts"
_BATCH_RUNS: Final = 25
_BATCH_SECONDS: Final = 5.0
_LOOK_SECONDS: Final = 0.2
# A batch ends by itself, soon after it has made what it found small; one that takes so much longer hangs.
_HANG_SECONDS: Final = 240.0


class ApiPlan(msgspec.Struct, frozen=True):
    """`count` runs of every library, or `seconds` of them, or until somebody says stop."""

    solvers: tuple[tuple[str, tuple[str, ...]], ...]  # each with the others that are asked
    settings: Settings
    first: int
    count: int | None = None
    seconds: float | None = None
    plugins: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        return {"api": msgspec.to_builtins(self)}

    @classmethod
    def read(cls, plain: dict[str, Any]) -> Self:
        return msgspec.convert(plain["api"], cls)

    def continued(self, given: dict[str, Any]) -> ApiPlan:
        """The same plan with another end; whatever else is `given` has to be as it was."""
        settings: dict[str, Any] = msgspec.to_builtins(self.settings)
        before = {"solvers": [name for name, _others in self.solvers], "rng": self.first, **settings}
        before["plugins"] = list(self.plugins)
        for name, value in given.items():
            if value is None or name in {"count", "seconds"}:
                continue
            if value != before[name]:
                raise UsageError(
                    f"--resume goes on as the campaign began; its {name} was {before[name]}, not {value}"
                )
        if given.get("count") is None and given.get("seconds") is None:
            return self
        return msgspec.structs.replace(self, count=given.get("count"), seconds=given.get("seconds"))


@dataclass(frozen=True, slots=True)
class ApiState:
    """Where a campaign is."""

    tallies: dict[str, ApiTally]
    findings: int
    elapsed: float
    jobs: int

    @property
    def total(self) -> ApiTally:
        total = ApiTally()
        for tally in self.tallies.values():
            total.add(tally)
        return total


class ApiWatcher(Protocol):
    """Who is told about it."""

    def look(self, state: ApiState) -> None: ...

    def finding(self, record: FindingRecord, folder: Path) -> None: ...

    def end(self, state: ApiState, ended: str) -> None: ...


class ApiCampaign:
    """One campaign; `run` it once. With a `number` it goes on where that one stopped: no run twice."""

    def __init__(self, plan: ApiPlan, store: Store, watcher: ApiWatcher, number: int | None = None) -> None:
        self.plan = plan
        self.store = store
        self.watcher = watcher
        self.number = store.begin(plan.plain()) if number is None else number
        self.tallies = {name: ApiTally() for name, _others in plan.solvers}
        self._done: dict[str, set[int]] = {name: set() for name, _others in plan.solvers}
        before, batches = store.campaign(self.number), store.batches(self.number)
        for record in batches:
            self.tallies[record.seed].add(msgspec.convert(record.tally, ApiTally))
            self._done[record.seed].update(range(record.tally["first"], record.tally["first"] + record.made))
        self.findings = len(store.sightings(self.number))
        self._elapsed_before = before.elapsed if before is not None else 0.0
        self._started = time.monotonic()
        self._numbers = itertools.count(max((record.number for record in batches), default=-1) + 1)
        self._batches = self._planned()
        self._left: list[ApiBatch] = []
        self._under_way: dict[int, ApiBatch] = {}

    @property
    def elapsed(self) -> float:
        return self._elapsed_before + time.monotonic() - self._started

    def state(self, jobs: int) -> ApiState:
        return ApiState(self.tallies, self.findings, self.elapsed, jobs)

    def run(self, jobs: int) -> str:
        """Work until the count, the time or somebody says stop; why it ended."""
        self._triage_left()
        ended = ""
        with Interruptions() as interruptions, closing(ProcessPool(jobs)) as pool:
            while True:
                if not ended:
                    ended = INTERRUPTED if interruptions.count else self._is_over()
                    if ended:
                        pool.stop()
                while pool.idle and (batch := self._next()) is not None:
                    self._under_way[batch.number] = batch
                    pool.submit(_task(batch))
                if not pool.busy:
                    break
                for done in pool.results(_LOOK_SECONDS):
                    self._take(self._outcome(done))
                self.watcher.look(self.state(jobs))
        ended = ended or COUNTED
        self.store.end(self.number, ended, self.elapsed)
        return ended

    def _is_over(self) -> str:
        return TIMED if self.plan.seconds is not None and self.elapsed >= self.plan.seconds else ""

    def _next(self) -> ApiBatch | None:
        return self._left.pop() if self._left else next(self._batches, None)

    def _planned(self) -> Iterator[ApiBatch]:
        """The libraries take turns."""
        plan = self.plan
        for start in itertools.count(0, _BATCH_RUNS):
            count = _BATCH_RUNS if plan.count is None else min(_BATCH_RUNS, plan.count - start)
            if count <= 0:
                return
            for solver, others in plan.solvers:
                for first, some in _gaps(plan.first + start, count, self._done[solver]):
                    yield self._batch(solver, others, first, some)

    def _batch(self, solver: str, others: tuple[str, ...], first: int, count: int) -> ApiBatch:
        return ApiBatch(next(self._numbers), solver, others, self.plan.settings, first, count, _BATCH_SECONDS)

    def _outcome(self, done: TaskResult) -> ApiOutcome:
        if done.lost:
            return ApiOutcome(self._under_way[done.number], ApiTally(), lost=done.lost)
        return msgspec.msgpack.decode(done.body, type=ApiOutcome)

    def _take(self, outcome: ApiOutcome) -> None:
        batch, tally = outcome.batch, outcome.tally
        self._under_way.pop(batch.number, None)
        self.tallies[batch.solver].add(tally)
        if outcome.error and not self.tallies[batch.solver].runs:
            raise SurroundingsError(f"{batch.solver}: {outcome.error}")
        why = outcome.error or outcome.lost
        if not why and tally.runs < batch.count:
            # Too slow for its time: the rest of it is a batch of its own.
            first, count = batch.first + tally.runs, batch.count - tally.runs
            self._left.append(self._batch(batch.solver, batch.others, first, count))
        record = BatchRecord(
            batch.number, "api", batch.solver, tally.runs, outcome.seconds,
            "lost" if why else "done", msgspec.to_builtins(tally) | {"first": batch.first},
        )  # fmt: skip
        faults = [FaultRecord(0, why)] if why else []
        new = self.store.record(
            self.number, record, findings=outcome.findings, sightings=outcome.sightings, faults=faults,
            elapsed=self.elapsed,
        )  # fmt: skip
        self.findings += len(outcome.findings) + len(outcome.sightings)
        for found in outcome.findings:
            if found.signature in new:
                home = self.store.home / FINDINGS / self._folder(found)
                triage.triage(home, found)
                self.watcher.finding(found, home)
        self._keep_timeouts(batch.solver, outcome.timeouts)

    def _triage_left(self) -> None:
        """What was found just before somebody killed the campaign."""
        for listed in self.store.findings():
            home = self.store.home / FINDINGS / listed.folder
            if listed.kind.startswith("api-") and result.read(home) is None:
                triage.triage(home, folder.read(home))

    def _folder(self, record: FindingRecord) -> str:
        return self.store.finding(record.digest).folder

    def _keep_timeouts(self, solver: str, traces: dict[str, str]) -> None:
        home = self.store.home / TIMEOUTS
        for number, trace in traces.items():
            home.mkdir(exist_ok=True)
            name = "".join(c if c.isalnum() or c in ".@-" else "_" for c in solver)
            (home / f"{name}-{number}.trace").write_text(trace, encoding="utf-8")


def _task(batch: ApiBatch) -> Task:
    seconds = batch.seconds + 30 * batch.settings.seconds + _HANG_SECONDS
    return Task(batch.number, RUNNER, msgspec.msgpack.encode(batch), seconds)


def _gaps(first: int, count: int, done: set[int]) -> Iterator[tuple[int, int]]:
    """Of runs in a row those that are still to be made, as beginnings and lengths."""
    missing = [number for number in range(first, first + count) if number not in done]
    for _, run in itertools.groupby(enumerate(missing), lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in run]
        yield numbers[0], len(numbers)
