"""LibraryWorkload: the batches of a campaign over libraries, which take turns; no run is repeated."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from falsum.api.run_result import RunStatus
from falsum.campaign.executors.executor import Loss, Task
from falsum.campaign.guides import COVERAGE
from falsum.campaign.library.batch import LibraryBatch, LibraryTally, without_runs
from falsum.campaign.library.guide import LibraryGuide
from falsum.campaign.library.plan import LibraryPlan
from falsum.campaign.library.progress import LibraryState
from falsum.campaign.outcome import DONE, FAILED, KILLED, LOST, BatchOutcome
from falsum.campaign.program_marks import ProgramMark
from falsum.campaign.progress import Status
from falsum.campaign.search.reached import ReachedEdges, joined
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store.records import YieldRecord
from falsum.store.store import Store

RUNNER: Final = "falsum.campaign.library.runner:LibraryRunner"
_BATCH_RUNS: Final = 25
_BATCH_SECONDS: Final = 5.0
# What was found last is minimised before the batch ends.
_GRACE_SECONDS: Final = 90.0
# A batch that takes so much longer hangs in our own code: by its CPU time, or by the time in which it waits
# for no library.
_MAX_CPU_SECONDS: Final = 60.0
_MAX_OWN_SECONDS: Final = 120.0
# Runs have limits of their own; so many that time out are more than any batch needs.
_MAX_FULL_RUNS: Final = 30
_MAX_EMPTY_BATCHES: Final = 20
# A library that does not start once may have been killed; twice, it is broken.
_MAX_FAILURES: Final = 2
# After so many runs, all of them empty, the settings are to blame.
_MIN_RUNS: Final = 10


class LibraryWorkload:
    def __init__(
        self, plan: LibraryPlan, store: Store, number: int, marks: Mapping[str, ProgramMark] | None = None
    ) -> None:
        self.plan = plan
        self._marks = dict(marks or {})
        # Libraries that cannot be used any more, each with the reason.
        self._gone: dict[str, str] = {}
        self._tallies = {name: LibraryTally() for name, _others in plan.solvers}
        self._done: dict[str, set[int]] = {name: set() for name in self._tallies}
        batches = store.batches(number)
        for record in batches:
            self._tallies[record.seed].add(msgspec.convert(record.tally, LibraryTally))
            first = record.tally["first"]
            self._done[record.seed].update(range(first, first + record.made))
        self._numbers = itertools.count(max((record.number for record in batches), default=-1) + 1)
        self._planned = self._plan_batches()
        self._is_guided = plan.guide == COVERAGE
        self.reached = ReachedEdges()
        self._guides = {name: LibraryGuide() for name in self._tallies}
        gains = {one.batch: one for one in store.yields(number)}
        for record in batches:
            self._learn(msgspec.convert(record.tally, LibraryTally), record.seed, gains.get(record.number))
        self._store, self._number = store, number
        self._failures: Counter[str] = Counter()
        self._remainders: list[LibraryBatch] = []
        self._under_way: dict[int, LibraryBatch] = {}
        self._all_handed_out = False

    @property
    def is_complete(self) -> bool:
        return self._all_handed_out and not self._under_way and not self._remainders

    @property
    def max_empty_batches(self) -> int:
        return _MAX_EMPTY_BATCHES

    def next(self, elapsed: float, jobs: int) -> Task | None:
        del elapsed, jobs  # a batch that is told to stop ends after the run at hand
        batch = self._remainders.pop() if self._remainders else next(self._planned, None)
        if batch is None:
            self._all_handed_out = True
            return None
        self._under_way[batch.number] = batch
        own = batch.seconds + _MAX_OWN_SECONDS
        seconds = 2 * own + _MAX_FULL_RUNS * batch.settings.seconds
        body = msgspec.msgpack.encode(batch)
        return Task(batch.number, RUNNER, body, seconds, own, batch.seconds + _MAX_CPU_SECONDS)

    def lost(self, number: int, why: str, loss: Loss) -> BatchOutcome:
        return without_runs(self._under_way[number], KILLED if loss is Loss.KILLED else LOST, why)

    def take(self, outcome: BatchOutcome) -> None:
        batch = self._under_way.pop(outcome.record.number)
        tally = msgspec.convert(outcome.record.tally, LibraryTally)
        total = self._tallies[batch.solver]
        total.add(tally)
        if self._is_guided:
            self._learn(tally, batch.solver, self._yield_of(batch.solver, outcome, tally))
        is_failure = outcome.record.ending == FAILED
        self._failures[batch.solver] = self._failures[batch.solver] + 1 if is_failure else 0
        if outcome.gone or self._failures[batch.solver] >= _MAX_FAILURES:
            why = outcome.gone.get(batch.solver) or outcome.faults[0].text
            if not total.runs:
                raise SurroundingsError(f"{batch.solver}: {why}")
            self._gone[batch.solver] = why
            self._remainders = [one for one in self._remainders if one.solver != batch.solver]
        if total.runs >= _MIN_RUNS and total.endings.get(RunStatus.EMPTY) == total.runs:
            raise UsageError(
                f"no run of {batch.solver} asserts and checks anything ({next(iter(total.errors))}); "
                "see the weights and bounds in [api]"
            )
        if outcome.record.ending == DONE and tally.runs < batch.count:
            # Too slow for its time: the rest is a batch of its own.
            first, count = batch.first + tally.runs, batch.count - tally.runs
            self._remainders.append(self._batch(batch.solver, batch.others, first, count))

    def _yield_of(self, solver: str, outcome: BatchOutcome, tally: LibraryTally) -> YieldRecord:
        """Store what a batch has reached that no other has."""
        lots = [one.edges for one in outcome.novelties]
        # Other numbers of known edges say little of runs that make hundreds of calls.
        counts = self.reached.new_edges(lots)
        runs = [one for one, count in zip(outcome.novelties, counts, strict=True) if count]
        record = YieldRecord(
            batch=outcome.record.number,
            strategy=solver,
            configuration="",
            seeds=(),
            gain=len(runs),
            cost=tally.cpu,
            new_edges=sum(counts),
            edges=joined(self.reached.new(lots)),
            gains=dict(Counter(word for one in runs for word in one.buckets)),
        )
        self._store.learn(self._number, record)
        return record

    def _learn(self, tally: LibraryTally, solver: str, record: YieldRecord | None) -> None:
        """Learn from a batch; the same batches in the same order always have the same effect."""
        gain, gains = (int(record.gain), record.gains) if record is not None else (0, {})
        if record is not None:
            self.reached.add(record.edges)
        self._guides[solver].add(tally.runs, tally.uses, gain, gains)

    def grace(self, *, interrupted: bool) -> float:
        del interrupted  # a second signal ends it
        return _GRACE_SECONDS

    def state(self, status: Status) -> LibraryState:
        return LibraryState(status, self._tallies, self._gone, self.reached.counts)

    def _plan_batches(self) -> Iterator[LibraryBatch]:
        plan = self.plan
        for start in itertools.count(0, _BATCH_RUNS):
            count = _BATCH_RUNS if plan.count is None else min(_BATCH_RUNS, plan.count - start)
            if count <= 0 or len(self._gone) == len(plan.solvers):
                return
            for solver, others in plan.solvers:
                if solver in self._gone:
                    continue
                for first, some in _gaps(plan.first + start, count, self._done[solver]):
                    yield self._batch(solver, others, first, some)

    def _batch(self, solver: str, others: tuple[str, ...], first: int, count: int) -> LibraryBatch:
        settings = self.plan.settings
        return LibraryBatch(
            next(self._numbers),
            solver,
            others,
            settings,
            first,
            count,
            _BATCH_SECONDS,
            self._marks.get(solver),
            self._is_guided and resolve(solver, Zoo()).build.has_edges,
            self._guides[solver].weights() if self._is_guided else {},
        )


def _gaps(first: int, count: int, done: set[int]) -> Iterator[tuple[int, int]]:
    """The runs of a range that are still to be made, as first numbers and lengths."""
    missing = [number for number in range(first, first + count) if number not in done]
    for _, run in itertools.groupby(enumerate(missing), lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in run]
        yield numbers[0], len(numbers)
