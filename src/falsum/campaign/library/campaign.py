"""A campaign over libraries: batches of runs in worker processes; findings and time-outs are kept."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

import msgspec

from falsum import plugins
from falsum.api.model.settings import Settings
from falsum.campaign.executors.processes import Interruptions, bound_to
from falsum.campaign.fuzz.campaign import COUNTED, INTERRUPTED, TIMED
from falsum.campaign.library import batch as api_batch
from falsum.campaign.library import triage
from falsum.campaign.library.batch import ApiBatch, ApiOutcome, ApiTally, Bench
from falsum.campaign.triage import result
from falsum.errors import FalsumError, SurroundingsError, UsageError
from falsum.store import finding_folder as folder
from falsum.store.records import BatchRecord, FaultRecord, FindingRecord
from falsum.store.store import FINDINGS

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event
    from pathlib import Path

    from falsum.store.store import Store

TIMEOUTS: Final = "timeouts"
_BATCH_RUNS: Final = 25
_BATCH_SECONDS: Final = 5.0
_LOOK_SECONDS: Final = 0.2


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

    @property
    def elapsed(self) -> float:
        return self._elapsed_before + time.monotonic() - self._started

    def state(self, jobs: int) -> ApiState:
        return ApiState(self.tallies, self.findings, self.elapsed, jobs)

    def run(self, jobs: int) -> str:
        """Work until the count, the time or somebody says stop; why it ended."""
        self._triage_left()
        context = multiprocessing.get_context("spawn")
        stopping = context.Event()
        ended = ""
        with Interruptions() as interruptions:
            pool = _pool(jobs, context, stopping)
            under_way: set[Future[bytes]] = set()
            try:
                while True:
                    ended = ended or (INTERRUPTED if interruptions.count else self._is_over())
                    if ended:
                        stopping.set()
                    while not ended and len(under_way) < jobs and (batch := self._next()) is not None:
                        under_way.add(pool.submit(work, msgspec.msgpack.encode(batch)))
                    if not under_way:
                        break
                    done, under_way = wait(under_way, _LOOK_SECONDS, FIRST_COMPLETED)
                    for each in done:
                        self._take(each.result())
                    self.watcher.look(self.state(jobs))
            except BrokenProcessPool as error:
                raise SurroundingsError("a worker was killed; what was done is in the store") from error
            finally:
                stopping.set()
                pool.shutdown(wait=True, cancel_futures=True)
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

    def _take(self, message: bytes) -> None:
        outcome = msgspec.msgpack.decode(message, type=ApiOutcome)
        batch, tally = outcome.batch, outcome.tally
        self.tallies[batch.solver].add(tally)
        if outcome.error and not self.tallies[batch.solver].runs:
            raise SurroundingsError(f"{batch.solver}: {outcome.error}")
        if not outcome.error and tally.runs < batch.count:
            # Too slow for its time: the rest of it is a batch of its own.
            first, count = batch.first + tally.runs, batch.count - tally.runs
            self._left.append(self._batch(batch.solver, batch.others, first, count))
        record = BatchRecord(
            batch.number, "api", batch.solver, tally.runs, outcome.seconds,
            "lost" if outcome.error else "done", msgspec.to_builtins(tally) | {"first": batch.first},
        )  # fmt: skip
        faults = [FaultRecord(0, outcome.error)] if outcome.error else []
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


def _gaps(first: int, count: int, done: set[int]) -> Iterator[tuple[int, int]]:
    """Of runs in a row those that are still to be made, as beginnings and lengths."""
    missing = [number for number in range(first, first + count) if number not in done]
    for _, run in itertools.groupby(enumerate(missing), lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in run]
        yield numbers[0], len(numbers)


# -- workers ---------------------------------------------------------------------------------------

_BENCH: Final = Bench()
_STOPPING: list[Any] = []


def _pool(jobs: int, context: Any, stopping: Event) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, context, _begin, (os.getpid(), stopping, plugins.files()))


def _begin(parent: int, stopping: Event, plugin_files: tuple[str, ...]) -> None:
    if not bound_to(parent):
        os._exit(0)
    plugins.inherit(plugin_files)
    _STOPPING.append(stopping)


def work(message: bytes) -> bytes:
    """One batch in a worker; a fault of ours is told, not raised."""
    batch = msgspec.msgpack.decode(message, type=ApiBatch)
    try:
        outcome = api_batch.run(batch, _BENCH, _STOPPING[0].is_set)
    except FalsumError as error:
        outcome = ApiOutcome(batch, ApiTally(), error=str(error))
    except Exception:  # noqa: BLE001 - one library's trouble must not keep others waiting
        outcome = ApiOutcome(batch, ApiTally(), error=traceback.format_exc(limit=-8))
    return msgspec.msgpack.encode(outcome)
