"""The batches of a campaign over scripts: as many as are left to do, and what they teach about the seeds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.campaign.places import HONEST, SEED
from tests.campaign.test_campaign import Log

from falsum.campaign.corpus.seed_files import gather
from falsum.campaign.executors.executor import Loss, Task
from falsum.campaign.fuzz.batch import Batch, unpacked
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.fuzz.workload import FuzzWorkload
from falsum.campaign.outcome import DONE, LOST, BatchOutcome
from falsum.campaign.progress import Status
from falsum.campaign.search import seed_profile
from falsum.campaign.search.schedule import EVEN, LEARN
from falsum.campaign.tally import FuzzTally
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store.records import MeasureRecord, SeedRecord
from falsum.store.store import Store

PLAN = FuzzPlan(
    seeds=(),
    per_visit=8,
    solvers=(HONEST,),
    strategies=("opfuzz", "typefuzz"),
    rng=3,
    timeout=2.0,
    memory=512,
    count=50,
    schedule=EVEN,
    engines=False,
)

WRECK = HONEST.replace("honest", "hang")
STATUS = Status(1.0, 1.0, 1, {}, 0, None, None)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "out") as made:
        yield made


class Campaign:
    """A workload with three seeds, and a store that outcomes go to."""

    def __init__(self, store: Store, plan: FuzzPlan = PLAN, number: int | None = None) -> None:
        for name in "abc":
            (store.folder / f"{name}.smt2").write_text(SEED.replace("5", str(ord(name))))
        seeds = gather([str(store.folder)]).seeds
        self.store, self.log = store, Log()
        self.number = number or store.begin(plan.plain())
        solvers = [resolve(name, Zoo()) for name in plan.solvers]
        self.identities = [f"{solver.name}={solver.version}" for solver in solvers]
        arities = dict.fromkeys(plan.strategies, 1)
        self.workload = FuzzWorkload(plan, store, self.number, seeds, solvers, arities, self.log)

    def next(self, elapsed: float = 0.0, jobs: int = 2) -> Batch | None:
        task = self.workload.next(elapsed, jobs)
        return None if task is None else batch_of(task)

    def take(self, batch: Batch, made: int, *seeds: SeedRecord, **counts: float) -> None:
        tally = msgspec.structs.replace(FuzzTally(mutants=made), **counts)
        outcome = BatchOutcome(batch.record(tally, DONE), seeds=seeds)
        self.store.record(self.number, outcome.record, seeds=outcome.seeds)
        self.workload.take(outcome)

    def profile(self, batch: Batch, filtered: str = "") -> SeedRecord:
        measure = MeasureRecord(self.identities[0], 0.1, ("sat",), "finished")
        return SeedRecord(
            batch.seeds[0].digest, batch.seeds[0].name, filtered, () if filtered else (measure,)
        )


def batch_of(task: Task) -> Batch:
    batch = unpacked(task)
    assert (task.number, task.runner) == (batch.slot.number, "falsum.campaign.fuzz.runner:FuzzRunner")
    assert task.seconds > batch.budget.seconds + 30 * batch.plan.timeout
    # Our own code has little more than the time of the batch, however long solvers may take.
    assert batch.budget.seconds < task.cpu < task.own <= batch.budget.seconds + 60
    return batch


def test_of_an_even_schedule_shares_follow_from_numbers_and_not_from_workers(store: Store) -> None:
    def counts(jobs: int) -> list[int]:
        campaign = Campaign(store, msgspec.structs.replace(PLAN, count=18))
        batches = list(iter(lambda: campaign.next(jobs=jobs), None))
        for batch in reversed(batches):
            assert not campaign.workload.is_complete
            campaign.take(batch, min(batch.budget.count, 7))
        last = campaign.next(jobs=jobs)
        assert last is not None
        assert campaign.next(jobs=jobs) is None
        campaign.take(last, last.budget.count)
        assert campaign.workload.is_complete
        return [batch.budget.count for batch in (*batches, last)]

    assert counts(1) == counts(2) == counts(9) == [8, 8, 2, 2]


def test_no_more_is_handed_out_than_is_left_to_do(store: Store) -> None:
    campaign = Campaign(store, msgspec.structs.replace(PLAN, count=18, schedule=LEARN))
    first, second, third = campaign.next(), campaign.next(), campaign.next()
    assert first is not None
    assert second is not None
    assert third is not None
    assert [batch.budget.count for batch in (first, second, third)] == [8, 5, 3]
    assert (first.budget.cpu, first.budget.seconds, first.budget.patience) == pytest.approx(
        (2.0, 24.0, 5.0)
    )  # time hardly matters
    assert not first.plan.by_time
    campaign.take(first, 8)
    campaign.take(second, 5)
    campaign.take(third, 3)
    assert not campaign.workload.is_complete
    last = campaign.next()
    assert last is not None
    campaign.take(last, 2)
    assert campaign.workload.is_complete
    assert campaign.next() is None


def test_a_seed_that_was_put_off_is_waited_for_longer(store: Store) -> None:
    campaign = Campaign(store, msgspec.structs.replace(PLAN, count=None, seconds=1000.0))
    waited: dict[str, list[float]] = {}
    for _ in range(40):
        batch = campaign.next()
        assert batch is not None
        waited.setdefault(batch.seeds[0].name, []).append(batch.budget.patience)
        campaign.take(batch, 0)
    assert [seconds[:4] for seconds in waited.values()] == [pytest.approx([0.3, 1.2, 4.8, 5.0])] * 3
    assert campaign.workload.max_empty_batches > 4 * len(waited)


def test_waiting_for_slow_seeds_takes_a_share_of_the_time_only(store: Store) -> None:
    """Three seeds are quick and one is not: it comes again only when its time is a small part."""
    campaign = Campaign(store, msgspec.structs.replace(PLAN, count=None, seconds=1000.0))
    slow, spent, waited = "", 0.0, []
    for _ in range(300):
        batch = campaign.next()
        assert batch is not None
        slow = slow or batch.seeds[0].name
        if batch.seeds[0].name == slow:
            waited.append((batch.budget.patience, spent))
            campaign.take(batch, 0, solver_cpu=batch.budget.patience)
        else:
            campaign.take(batch, 8, campaign.profile(batch), solver_cpu=0.2)
        spent += 0.2
    assert [patience for patience, _spent in waited] == pytest.approx([0.3, 1.2])
    assert waited[1][1] >= 1.2 / 0.05


def test_batches_end_with_the_time(store: Store) -> None:
    plan = msgspec.structs.replace(PLAN, count=None, seconds=10.0)
    campaign = Campaign(store, plan)
    early, late = campaign.next(0.0), campaign.next(9.5)
    assert early is not None
    assert late is not None
    assert (early.budget.cpu, early.budget.seconds, late.budget.seconds) == pytest.approx((0.2, 2.4, 0.5))
    assert early.budget.patience == pytest.approx(0.3)
    assert early.plan.by_time
    assert campaign.next(10.0) is None
    assert not campaign.workload.is_complete


def test_what_is_learned_of_a_seed_goes_to_its_next_batch(store: Store) -> None:
    campaign = Campaign(store)
    batch = campaign.next()
    assert batch is not None
    assert not batch.seeds[0].is_profiled
    campaign.take(batch, 1, campaign.profile(batch))
    known = {}
    for _ in range(3):
        again = campaign.next()
        assert again is not None
        known[again.seeds[0].digest] = again.seeds[0].is_profiled
    assert known.pop(batch.seeds[0].digest)
    assert not any(known.values())
    # The next campaign in the store knows it from the start.
    other = Campaign(store)
    assert any(batch.seeds[0].is_profiled for batch in iter(other.next, None))


def test_a_useless_seed_is_left_out(store: Store) -> None:
    campaign = Campaign(store)
    batch = campaign.next()
    assert batch is not None
    campaign.take(batch, 0, campaign.profile(batch, "trivial"))
    assert campaign.log.events == [("seed", batch.seeds[0].name)]
    others = {again.seeds[0].digest for again in iter(campaign.next, None)}
    assert len(others) == 2
    assert batch.seeds[0].digest not in others


def test_a_lost_batch_is_done(store: Store) -> None:
    campaign = Campaign(store)
    batch = campaign.next()
    assert batch is not None
    outcome = campaign.workload.lost(batch.slot.number, "it died", Loss.LIMIT)
    assert (outcome.record.ending, outcome.record.made) == (LOST, 0)
    assert outcome.faults[0].text == "it died"
    campaign.workload.take(outcome)
    assert all(again.slot.number != batch.slot.number for again in iter(campaign.next, None))


def lose(campaign: Campaign, batch: Batch, loss: Loss = Loss.LIMIT) -> BatchOutcome:
    outcome = campaign.workload.lost(batch.slot.number, "traceback\nit died", loss)
    campaign.store.record(campaign.number, outcome.record, seeds=outcome.seeds)
    campaign.workload.take(outcome)
    return outcome


@pytest.mark.parametrize("loss", [Loss.KILLED, Loss.FAULT])
def test_only_limits_count_against_a_seed(store: Store, loss: Loss) -> None:
    plan = msgspec.structs.replace(PLAN, count=None, seconds=1000.0)
    campaign = Campaign(store, plan)
    batch = campaign.next()
    assert batch is not None
    for _ in range(4):
        assert lose(campaign, batch, loss).seeds == ()
        batch = next_of(campaign, batch.seeds[0].digest)
    assert campaign.log.events == []
    again = Campaign(store, plan, number=campaign.number)
    assert lose(again, next_of(again, batch.seeds[0].digest)).seeds == ()


def next_of(campaign: Campaign, digest: str) -> Batch:
    for batch in iter(campaign.next, None):
        if batch.seeds[0].digest == digest:
            return batch
    raise AssertionError("no batch of this seed")


@pytest.mark.parametrize("resumed", [False, True])
def test_a_seed_that_costs_a_worker_twice_is_left_out_and_named(store: Store, resumed: bool) -> None:
    plan = msgspec.structs.replace(PLAN, count=None, seconds=1000.0)
    campaign = Campaign(store, plan)
    batch = campaign.next()
    assert batch is not None
    seed = batch.seeds[0]
    assert lose(campaign, batch).seeds == ()
    if resumed:
        campaign = Campaign(store, plan, number=campaign.number)
    (left_out,) = lose(campaign, next_of(campaign, seed.digest)).seeds
    assert (left_out.name, left_out.filtered) == (seed.name, "cost a worker twice: it died")
    assert campaign.log.events == [("seed", seed.name)]
    assert campaign.workload.state(STATUS).costly == (seed.name,)
    drawn = [campaign.next() for _ in range(20)]
    assert {batch.seeds[0].digest for batch in drawn if batch is not None}.isdisjoint({seed.digest})
    # In the next campaign as well.
    again = Campaign(store, plan)
    assert again.log.events == [("seed", seed.name)]


def test_a_solver_that_answers_nothing_is_not_asked_any_more(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seed_profile, "_MANY_SEEDS", 2)
    plan = msgspec.structs.replace(PLAN, solvers=(HONEST, WRECK), count=None, seconds=1000.0)
    campaign = Campaign(store, plan)
    for asked in ((HONEST, WRECK), (HONEST, WRECK), (HONEST,)):
        batch = campaign.next()
        assert batch is not None
        assert batch.plan.solvers == asked
        wreck = MeasureRecord(campaign.identities[1], 5.0, (), "timed out")
        profile = campaign.profile(batch)
        campaign.take(batch, 1, msgspec.structs.replace(profile, measures=(*profile.measures, wreck)))
    assert campaign.log.events == [("solver", WRECK)]


def test_resumed_the_numbers_go_on(store: Store) -> None:
    campaign = Campaign(store)
    batches = list(iter(campaign.next, None))
    assert len(batches) == 7
    campaign.take(batches[1], 8)
    resumed = Campaign(store, number=campaign.number)
    again = list(iter(resumed.next, None))
    assert [(each.slot, each.budget.count) for each in again] == [
        (each.slot, each.budget.count) for each in (batches[0], *batches[2:])
    ]


def test_what_a_strategy_notes_is_there_on_its_next_visit(store: Store) -> None:
    campaign = Campaign(store)
    batch = campaign.next()
    assert batch is not None
    (seed,) = batch.seeds
    assert seed.memory == {}
    campaign.take(batch, 5, SeedRecord(seed.digest, seed.name, memory={batch.slot.strategy: "open 1.. 11"}))
    again = [b for _ in range(8) if (b := campaign.next()) is not None]
    assert {
        b.seeds[0].memory.get(batch.slot.strategy) for b in again if b.seeds[0].digest == seed.digest
    } == {"open 1.. 11"}
    resumed = Campaign(store, number=campaign.number)
    later = [b for _ in range(8) if (b := resumed.next()) is not None and b.seeds[0].digest == seed.digest]
    assert later
    assert all(b.seeds[0].memory == {batch.slot.strategy: "open 1.. 11"} for b in later)


def test_mutants_may_come_again_only_where_they_are_counted(store: Store) -> None:
    def only_new(**changes: object) -> bool:
        batch = Campaign(store, msgspec.structs.replace(PLAN, **changes)).next()
        assert batch is not None
        return batch.plan.only_new

    assert only_new(count=None, schedule=LEARN)
    assert not only_new(count=50, schedule=LEARN)
    assert not only_new(count=None, schedule=EVEN)


def test_a_saturated_seed_is_done_for_the_strategy(store: Store) -> None:
    campaign = Campaign(store, msgspec.structs.replace(PLAN, count=None))
    batch = campaign.next()
    assert batch is not None
    (seed,) = batch.seeds
    campaign.take(
        batch, 5, SeedRecord(seed.digest, seed.name, memory={batch.slot.strategy: "saturated 111 11"})
    )
    later = [b for _ in range(20) if (b := campaign.next()) is not None]
    met = {(b.seeds[0].digest, b.slot.strategy) for b in later}
    assert (seed.digest, batch.slot.strategy) not in met
    assert seed.digest in {digest for digest, _ in met}
    row = campaign.workload.state(STATUS).rows[batch.slot.strategy]
    assert row.plain()["saturated"] == 1


def test_a_plan_may_have_more_mutants_a_visit_and_other_limits(store: Store) -> None:
    plan = msgspec.structs.replace(PLAN, count=None, per_visit=300, least=0.5, multiple=9.0, models=0.1)
    batch = Campaign(store, plan).next()
    assert batch is not None
    assert (batch.budget.enough, batch.budget.count) == (300, 750)
    assert (batch.plan.least, batch.plan.multiple, batch.plan.models) == (0.5, 9.0, 0.1)
    assert (batch.budget.cpu, batch.budget.seconds) == pytest.approx((75.0, 900.0))
