"""The life cycle of a campaign and of its findings, whatever the batches are about and wherever they run."""

from __future__ import annotations

import os
import pkgutil
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import pytest
from tests.campaign.executors.runners import ECHO
from tests.store.test_store import finding_of

from falsum.campaign.campaign import CampaignRun
from falsum.campaign.executors.executor import Executor, Loss, Task, TaskResult, WorkerStatus
from falsum.campaign.fuzz.progress import FuzzState
from falsum.campaign.outcome import DONE, LOST, BatchOutcome
from falsum.campaign.plan import Plan
from falsum.campaign.progress import COUNTED, EXHAUSTED, INTERRUPTED, TIMED, State, Status
from falsum.campaign.tally import FuzzTally
from falsum.campaign.triage.background import BackgroundTriage
from falsum.store.records import BatchRecord, FaultRecord, FindingRecord, Sighting, TraceRecord
from falsum.store.store import FINDINGS, Store

SCRIPT = finding_of()
TRACE = msgspec.structs.replace(
    finding_of("api-crash | z3 | here"),
    kind="api-crash",
    trace=TraceRecord("z3", "4.8", "", "new\ncheck\n", "check\n"),
)


def outcome(
    number: int, *findings: FindingRecord, made: int = 1, sightings: Sequence[Sighting] = ()
) -> BatchOutcome:
    record = BatchRecord(number, "opfuzz", "s.smt2", made, 0.1, DONE, {})
    return BatchOutcome(record, findings, tuple(sightings))


class Inline:
    """An executor without any process; tasks with the numbers in `losing` are lost, each so often."""

    def __init__(
        self, losing: Sequence[int] = (), loss: Loss = Loss.LIMIT, garbage: Sequence[bytes] = ()
    ) -> None:
        self.losing = Counter(losing)
        self.loss = loss
        # What comes first, before any result.
        self.garbage = list(garbage)
        self.distrusted: list[tuple[str, str]] = []
        self.tasks: list[Task] = []
        self.calls: Counter[str] = Counter()

    @property
    def status(self) -> WorkerStatus | None:
        return None

    @property
    def idle(self) -> int:
        return 2 - self.busy

    @property
    def busy(self) -> int:
        return len(self.tasks)

    def submit(self, task: Task) -> None:
        self.tasks.append(task)

    def results(self, seconds: float) -> Iterator[TaskResult]:
        for task in self.tasks[:]:
            self.tasks.remove(task)
            if self.losing[task.number]:
                self.losing[task.number] -= 1
                yield TaskResult(task.number, lost="the worker ended with status -9", loss=self.loss)
            elif self.garbage:
                yield TaskResult(task.number, self.garbage.pop(), worker="a broken machine")
            else:
                yield TaskResult(task.number, pkgutil.resolve_name(task.runner)().run(task, bool))

    def lane(self, name: str, share: float) -> Executor:
        raise NotImplementedError(name, share)

    def distrust(self, worker: str, why: str) -> None:
        self.distrusted.append((worker, why))

    def stop(self) -> None:
        self.calls["stop"] += 1

    def close(self, grace: float = 2.0) -> None:
        self.calls["close"] += 1


class Given:
    """A workload of outcomes that are known beforehand."""

    def __init__(self, outcomes: Sequence[BatchOutcome], plan: Plan | None = None) -> None:
        self.plan = plan or Plan(count=len(outcomes))
        self.waiting = list(outcomes)
        self.taken: list[BatchOutcome] = []
        self.before_next: Callable[[], None] = lambda: None

    @property
    def is_complete(self) -> bool:
        return self.plan.count is not None and len(self.taken) >= self.plan.count

    @property
    def max_empty_batches(self) -> int:
        return 3

    def next(self, elapsed: float, jobs: int) -> Task | None:
        assert jobs == 2
        self.before_next()
        if not self.waiting:
            return None
        made = self.waiting.pop(0)
        return Task(made.record.number, ECHO, msgspec.msgpack.encode(made), 60.0)

    def lost(self, number: int, why: str, loss: Loss) -> BatchOutcome:
        return BatchOutcome(
            BatchRecord(number, "opfuzz", "s.smt2", 0, 0.0, LOST, {}), faults=(FaultRecord(0, why),)
        )

    def take(self, outcome: BatchOutcome) -> None:
        self.taken.append(outcome)

    def grace(self, *, interrupted: bool) -> float:
        return 1.0

    def state(self, status: Status) -> State:
        return FuzzState(status, FuzzTally(), 0, 0)


class Log:
    """Notes what a watcher is told."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str]] = []

    def begin(self, state: State) -> None:
        self.events.append(("begin", ""))

    def look(self, state: State) -> None:
        pass

    def finding(self, finding: FindingRecord, folder: Path) -> None:
        assert (folder / "finding.json").is_file()
        self.events.append(("found", finding.kind))

    def triaged(self, folder: Path, result: str) -> None:
        self.events.append(("triaged", folder.name.partition("-z3")[0]))

    def seed(self, name: str, reason: str) -> None:
        self.events.append(("seed", name))

    def solver(self, name: str, reason: str) -> None:
        self.events.append(("solver", name))

    def paused(self, why: str) -> None:
        self.events.append(("paused", why))

    def again(self, number: int, why: str) -> None:
        self.events.append(("again", why))

    def fault(self, batch: BatchRecord, fault: FaultRecord) -> None:
        self.events.append(("fault", fault.text))

    def end(self, state: State, ended: str) -> None:
        self.events.append(("end", ended))

    def close(self) -> None:
        pass


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as made:
        yield made


def run(
    store: Store, workload: Given, executor: Inline | None = None, triage: BackgroundTriage | None = None
) -> tuple[str, Log, State]:
    log = Log()
    campaign = CampaignRun(workload, store, store.begin({}), log, triage)
    return campaign.run(executor or Inline()), log, campaign.state()


@pytest.mark.parametrize("finding", [SCRIPT, TRACE], ids=["script", "trace"])
def test_a_finding_is_recorded_and_then_triaged(store: Store, finding: FindingRecord) -> None:
    reported: list[Path] = []
    executor, workers = Inline(), Inline()
    triage = BackgroundTriage((), 5.0, 1024, reported.append, workers)
    filler = [outcome(number) for number in range(2, 6)]
    again = outcome(1, sightings=[Sighting(finding.signature, 3)])
    ended, log, state = run(store, Given([outcome(0, finding), again, *filler]), executor, triage)
    assert ended == COUNTED
    assert log.events == [("begin", ""), ("found", finding.kind), ("triaged", finding.kind)]
    assert (state.status.kinds, state.status.sightings) == ({finding.kind: 1}, 2)
    assert store.finding(finding.digest).count == 2
    assert executor.calls == {"stop": 1, "close": 1}
    assert workers.calls == {"close": 1}
    if finding is TRACE:  # this z3 is not installed, so there is nobody to ask about the script
        assert reported == [store.folder / FINDINGS / store.finding(finding.digest).folder]


def test_a_lost_batch_is_recorded_and_the_campaign_goes_on(store: Store) -> None:
    workload = Given([outcome(number) for number in range(4)])
    ended, log, _state = run(store, workload, Inline(losing=[1]))
    assert ended == COUNTED
    assert log.events == [("begin", ""), ("fault", "the worker ended with status -9")]
    assert [(batch.number, batch.ending) for batch in store.batches(1)] == [
        (0, DONE), (1, LOST), (2, DONE), (3, DONE),
    ]  # fmt: skip
    assert store.faults(1) == [(1, 0, "the worker ended with status -9")]


def test_a_batch_whose_worker_was_killed_is_run_again(store: Store) -> None:
    workload = Given([outcome(0), outcome(1, SCRIPT), outcome(2)])
    ended, log, _state = run(store, workload, Inline([1, 1, 1], Loss.KILLED))
    assert ended == COUNTED
    again = ("again", "the worker ended with status -9")
    assert log.events == [("begin", ""), again, again, again, ("found", "crash")]
    assert [batch.ending for batch in store.batches(1)] == [DONE] * 3
    assert store.faults(1) == []


def test_a_batch_whose_workers_are_always_killed_is_lost_in_the_end(store: Store) -> None:
    workload = Given([outcome(number) for number in range(3)])
    ended, log, _state = run(store, workload, Inline([1] * 100, Loss.KILLED))
    assert ended == COUNTED
    assert log.events[-1] == ("fault", "the worker ended with status -9")
    assert sorted(one.record.number for one in workload.taken) == [0, 1, 2]


@pytest.mark.parametrize("body", [b"garbage", msgspec.msgpack.encode(outcome(7))])
def test_what_is_no_outcome_of_the_batch_is_asked_for_again(store: Store, body: bytes) -> None:
    class Broken(Inline):
        def submit(self, task: Task) -> None:
            super().submit(task if task.afresh else msgspec.structs.replace(task, body=body))

    ended, log, _state = run(store, Given([outcome(0), outcome(1)]), Broken())
    assert ended == COUNTED
    assert [name for name, _why in log.events] == ["begin", "again", "again"]
    assert [batch.number for batch in store.batches(1)] == [0, 1]


def test_a_finding_that_did_not_arrive_is_looked_for_again(store: Store) -> None:
    """Its worker sends the signature only from then on; one that remembers nothing sends it all."""
    seen = outcome(0, sightings=[Sighting(SCRIPT.signature, 3)])
    tried: list[bool] = []

    class Forgetful(Inline):
        def submit(self, task: Task) -> None:
            tried.append(task.afresh)
            body = msgspec.msgpack.encode(outcome(0, SCRIPT)) if task.afresh else task.body
            super().submit(msgspec.structs.replace(task, body=body))

    ended, _log, state = run(store, Given([seen]), Forgetful())
    assert (ended, tried, state.status.kinds) == (COUNTED, [False, True], {"crash": 1})
    assert len(store.findings()) == 1


def test_batches_that_do_nothing_end_it(store: Store) -> None:
    endless = Given([outcome(number, made=0) for number in range(100)], Plan())
    assert run(store, endless)[0] == EXHAUSTED
    assert len(endless.taken) == 4
    # One that does something starts the count anew.
    made = [outcome(number, made=number % 3) for number in range(30)]
    assert run(store, Given(made, Plan()))[0] == EXHAUSTED
    assert len(store.batches(2)) == 30


def test_the_time_limit_ends_it(store: Store) -> None:
    workload = Given([outcome(number) for number in range(10_000)], Plan(seconds=0.3))
    workload.before_next = lambda: time.sleep(0.01)
    start = time.monotonic()
    ended, _log, state = run(store, workload)
    assert ended == TIMED
    assert time.monotonic() - start < 5
    assert state.status.elapsed >= 0.3
    record = store.campaign()
    assert record is not None
    assert (record.ended, record.elapsed >= 0.3) == (TIMED, True)


def test_a_signal_ends_it_and_what_is_under_way_is_taken(store: Store) -> None:
    workload = Given([outcome(number) for number in range(100)], Plan())
    workload.before_next = lambda: os.kill(os.getpid(), signal.SIGINT) if len(workload.taken) == 4 else None
    ended, _log, _state = run(store, workload)
    assert ended == INTERRUPTED
    assert len(store.batches(1)) == len(workload.taken) <= 8


def test_who_returns_garbage_is_distrusted_and_its_batches_are_run_again(store: Store) -> None:
    of_another = msgspec.msgpack.encode(outcome(7, SCRIPT))
    executor = Inline(garbage=[b"\xff", of_another, b""])
    ended, _log, state = run(store, Given([outcome(0, SCRIPT)]), executor)
    assert ended == COUNTED
    assert [each for each, _why in executor.distrusted] == ["a broken machine"] * 3
    assert {why.partition(":")[0] for _each, why in executor.distrusted} == {
        "no outcome of a batch",
        "the outcome of another batch",
    }
    assert [batch.number for batch in store.batches(1)] == [0]
    assert state.status.kinds == {"crash": 1}


def test_what_is_known_in_the_store_is_found_but_no_news(store: Store) -> None:
    assert run(store, Given([outcome(0, SCRIPT)]))[2].status.kinds == {"crash": 1}
    ended, log, state = run(store, Given([outcome(0, SCRIPT), outcome(1, SCRIPT)]))
    assert ended == COUNTED
    assert log.events == [("begin", "")]
    assert state.status.kinds == store.kinds(2) == {"crash": 1}


def test_resumed_it_counts_on(store: Store) -> None:
    run(store, Given([outcome(0, SCRIPT)]))
    workload = Given([outcome(1, SCRIPT)])
    campaign = CampaignRun(workload, store, 1, Log())
    before = campaign.elapsed
    assert campaign.run(Inline()) == COUNTED
    assert campaign.state().status.kinds == {"crash": 1}
    assert campaign.elapsed > before > 0
    assert [batch.number for batch in store.batches(1)] == [0, 1]
