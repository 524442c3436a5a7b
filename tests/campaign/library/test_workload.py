"""The batches of a campaign over libraries: in turns, every run once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from falsum.api.model.settings import Settings
from falsum.campaign.executors.executor import Loss
from falsum.campaign.library.batch import LibraryBatch, LibraryTally, without_runs
from falsum.campaign.library.plan import LibraryPlan
from falsum.campaign.library.workload import LibraryWorkload
from falsum.campaign.outcome import DONE, FAILED, LOST, BatchOutcome
from falsum.errors import SurroundingsError, UsageError
from falsum.store.store import TIMEOUTS, Store

PLAN = LibraryPlan(solvers=(("z3", ("cvc5",)), ("yices@2.6", ())), settings=Settings(), first=100, count=30)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as made:
        yield made


@pytest.fixture
def workload(store: Store) -> LibraryWorkload:
    return LibraryWorkload(PLAN, store, store.begin(PLAN.plain()))


def handed_out(workload: LibraryWorkload) -> list[LibraryBatch]:
    tasks = iter(lambda: workload.next(0.0, 2), None)
    return [msgspec.msgpack.decode(task.body, type=LibraryBatch) for task in tasks]


def done(batch: LibraryBatch, runs: int, **more: dict[str, str]) -> BatchOutcome:
    return BatchOutcome(batch.record(LibraryTally(runs), 1.0, DONE), **more)  # type: ignore[arg-type]


def test_the_libraries_take_turns(workload: LibraryWorkload) -> None:
    batches = handed_out(workload)
    assert [(batch.number, batch.solver, batch.first, batch.count) for batch in batches] == [
        (0, "z3", 100, 25), (1, "yices@2.6", 100, 25), (2, "z3", 125, 5), (3, "yices@2.6", 125, 5),
    ]  # fmt: skip
    assert batches[0].others == ("cvc5",)
    assert not workload.is_complete
    for batch in batches:
        workload.take(done(batch, batch.count))
    assert workload.is_complete


def test_the_rest_of_a_slow_batch_is_a_batch(workload: LibraryWorkload) -> None:
    first, *others = handed_out(workload)
    for batch in others:
        workload.take(done(batch, batch.count))
    workload.take(done(first, 10))
    assert not workload.is_complete
    (rest,) = handed_out(workload)
    assert (rest.number, rest.solver, rest.first, rest.count) == (4, "z3", 110, 15)
    workload.take(done(rest, 15))
    assert workload.is_complete


def test_a_lost_batch_is_not_run_again_before_it_is_resumed(store: Store, workload: LibraryWorkload) -> None:
    batches = handed_out(workload)
    for batch in batches[1:]:
        outcome = done(batch, batch.count)
        store.record(1, outcome.record)
        workload.take(outcome)
    lost = workload.lost(0, "it died", Loss.LIMIT)
    store.record(1, lost.record, faults=lost.faults)
    workload.take(lost)
    assert lost.record.ending == LOST
    assert workload.is_complete
    (again,) = handed_out(LibraryWorkload(PLAN, store, 1))
    assert (again.number, again.solver, again.first, again.count) == (4, "z3", 100, 25)


def test_a_library_that_never_ran_ends_the_campaign(workload: LibraryWorkload) -> None:
    first, second, third, fourth = handed_out(workload)
    workload.take(without_runs(first, FAILED, "does not start"))  # it may have been killed
    with pytest.raises(SurroundingsError, match="z3: does not start"):
        workload.take(without_runs(third, FAILED, "does not start"))
    workload.take(done(fourth, 5))
    # One that did only loses its batch.
    workload.take(without_runs(second, LOST, "it died"))


def test_traces_of_time_outs_are_kept(store: Store, workload: LibraryWorkload) -> None:
    _z3, yices, *_rest = handed_out(workload)
    outcome = done(yices, 25, timeouts={"101": "new\ncheck\n"})
    store.record(1, outcome.record, timeouts=outcome.timeouts)
    (file,) = (store.folder / TIMEOUTS).iterdir()
    assert (file.name, file.read_text()) == ("yices@2.6-101.trace", "new\ncheck\n")


def test_a_campaign_in_which_every_run_is_empty_ends_with_a_reason(workload: LibraryWorkload) -> None:
    batch = handed_out(workload)[0]
    tally = LibraryTally(25, 60, {"empty": 25}, {}, {"empty: no way on in state create_sorts": 25})
    with pytest.raises(UsageError, match=r"no run of z3 asserts and checks anything .*in state create_sorts"):
        workload.take(BatchOutcome(batch.record(tally, 1.0, DONE)))


def test_some_empty_runs_are_only_counted(workload: LibraryWorkload) -> None:
    batch = handed_out(workload)[0]
    workload.take(BatchOutcome(batch.record(LibraryTally(25, 60, {"empty": 24, "done": 1}), 1.0, DONE)))
