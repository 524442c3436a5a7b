"""The search: gains are counted once, mutants become seeds, and a resumed campaign knows what was learned."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.campaign.places import HONEST, SEED
from tests.store.test_store import finding_of

from falsum.campaign.corpus.seed_files import SeedFile, gather
from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.outcome import DONE, BatchOutcome, Novelty
from falsum.campaign.search import search
from falsum.campaign.search.schedule import EVEN, LEARN, Slot
from falsum.campaign.search.search import FuzzSearch
from falsum.campaign.tally import FuzzTally
from falsum.store.records import BatchRecord, Sighting
from falsum.store.store import Store

PLAN = FuzzPlan(
    seeds=(),
    solvers=(HONEST,),
    strategies=("opfuzz",),
    rng=3,
    timeout=2.0,
    memory=512,
    schedule=LEARN,
    engines=False,
)
MUTANT = SEED.replace("5", "77")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "out") as made:
        for name in "abc":
            (made.folder / f"{name}.smt2").write_text(SEED.replace("5", str(ord(name))))
        yield made


def begun(store: Store, number: int, schedule: str = LEARN) -> FuzzSearch:
    seeds = gather([str(store.folder)]).seeds
    return FuzzSearch(store, number, seeds, {"opfuzz": 1}, rng=3, schedule=schedule)


def take(store: Store, made: FuzzSearch, number: int, *novelties: Novelty, known: int = 0) -> Slot:
    slot = made.next()
    assert slot is not None
    tally = FuzzTally(mutants=20, solver_cpu=0.75, own_cpu=0.25)
    record = BatchRecord(slot.number, slot.strategy, "a", 20, 1.0, DONE, tally.plain())
    sightings = tuple(Sighting("known", place) for place in range(known))
    store.record(number, record)
    made.take(slot, BatchOutcome(record, novelties=novelties, sightings=sightings), tally)
    return slot


def test_new_behaviour_counts_once(store: Store) -> None:
    number = store.begin(PLAN.plain())
    campaign = begun(store, number)
    for _ in range(3):
        take(store, campaign, number, Novelty(0, "", ("a", "b")), Novelty(4, "", ("b",)))
    take(store, campaign, number, Novelty(0, "", ("a",)), Novelty(4, "", ("c",)))
    (row,) = campaign.arms
    assert (row.batches, row.cpu, row.gain) == (4, 4.0, 2.0)
    assert row.line() == f"opfuzz × {row.arm.logic}: 4 batches, 4.0 s CPU, 0.50 new per second"


def test_known_findings_cost(store: Store) -> None:
    number = store.begin(PLAN.plain())
    campaign = begun(store, number)
    take(store, campaign, number, known=5)
    (record,) = store.yields(number)
    assert (record.cost, record.wasted) == (1.0, 5.0)
    assert campaign.arms[0].cpu == 1.0


def taken(store: Store, signatures: list[tuple[str, str]]) -> tuple[list[float], list[float]]:
    """What findings count, and what is added to the cost, each in a batch of its own with its suspect."""
    number = store.begin(PLAN.plain())
    campaign = begun(store, number)
    for signature, solver in signatures:
        slot = campaign.next()
        assert slot is not None
        kind = signature.split(" | ")[0]
        finding = msgspec.structs.replace(finding_of(signature), kind=kind, suspects=(solver,))
        record = BatchRecord(slot.number, slot.strategy, "a", 20, 1.0, DONE, {})
        store.record(number, record, findings=[finding])
        campaign.take(slot, BatchOutcome(record, findings=(finding,)), FuzzTally(solver_cpu=1.0))
    records = list(store.yields(number))
    assert sum(row.gain for row in begun(store, number).arms) == pytest.approx(
        sum(record.gain for record in records)
    )
    return [record.found for record in records], [record.wasted for record in records]


def test_findings_of_one_kind_are_worth_less_and_less(store: Store) -> None:
    """A crash without a message has as many signatures as there are sets of operators."""
    solvers = ("z3", "z3:script=push", "z3", "cvc5", "z3")
    crashes = [(f"crash | {one} | segv | Ints | {n}", one) for n, one in enumerate(solvers)]
    found, wasted = taken(store, crashes)
    assert found == pytest.approx([1, 0.5, 0.25, 1, 0.125])
    assert wasted == pytest.approx([0, 0, 0, 0, 1])


def test_findings_in_other_theories_or_with_other_messages_are_new(store: Store) -> None:
    found, _wasted = taken(
        store,
        [
            ("model | z3 | Ints | + mod", "z3"),
            ("model | z3 | Strings | str.++", "z3"),
            ("model | z3 | Ints | div", "z3"),
            ("crash | z3 | assertion: a.cpp", "z3"),
            ("crash | z3 | assertion: b.cpp", "z3"),
        ],
    )
    assert found == pytest.approx([1, 1, 0.5, 1, 1])


def test_late_and_missing_answers_count_less(store: Store) -> None:
    found, _wasted = taken(store, [("incompleteness | z3 | Ints | +", "z3"), ("slow | z3 | Ints", "z3")])
    assert found == pytest.approx([0.2, 0.2])


def test_mutants_with_new_behaviour_become_seeds(store: Store) -> None:
    number = store.begin(PLAN.plain())
    campaign = begun(store, number)
    slot = take(store, campaign, number, Novelty(8, MUTANT, ("a",)))
    (grown,) = campaign.seeds[3:]
    assert grown.name == f"mutant {slot.number}:8 of {campaign.seeds[slot.seeds[0]].name}"
    assert (grown.text(), grown.logic, campaign.grown) == (MUTANT, campaign.seeds[0].logic, 1)
    assert campaign.is_grown(grown.digest)
    assert not campaign.is_grown(campaign.seeds[0].digest)
    slots = [take(store, campaign, number) for _ in range(200)]
    assert any(slot.seeds == (3,) for slot in slots)
    # Its own mutants are named after the seed they all come from.
    for place in range(40):
        take(store, campaign, number, Novelty(place, f"{MUTANT}; {place}", (f"bucket {place}",)))
    assert all(seed.name.count("mutant ") <= 1 for seed in campaign.seeds)


def test_mutants_that_show_a_bug_do_not_become_seeds(store: Store) -> None:
    number = store.begin(PLAN.plain())
    campaign = begun(store, number)
    take(store, campaign, number, Novelty(0, MUTANT, ("a",)), Novelty(4, f"{MUTANT};", ("b",)), known=1)
    assert [seed.text() for seed in campaign.seeds[3:]] == [f"{MUTANT};"]


def test_what_was_learned_survives(store: Store) -> None:
    number = store.begin(PLAN.plain())
    campaign = begun(store, number)
    for place in range(12):
        take(store, campaign, number, Novelty(place, f"{MUTANT}; {place}", (f"bucket {place}",)))
    again = begun(store, number)
    assert again.arms == campaign.arms
    assert again.seeds == campaign.seeds
    assert again.grown == campaign.grown == 12
    # It goes on with the same batches.
    assert [again.next() for _ in range(3)] == [campaign.next() for _ in range(3)]
    assert begun(store, store.begin(PLAN.plain())).arms == []


def test_no_more_seeds_are_grown_than_fit(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_MAX_GROWN", 3)
    number = store.begin(PLAN.plain())
    campaign = begun(store, number)
    for place in range(9):
        take(store, campaign, number, Novelty(place, f"{MUTANT}; {place}", (f"bucket {place}",)))
    assert campaign.grown == 3
    assert sum(bool(seed.bundled) for seed in campaign.seeds) == 3
    assert begun(store, number).seeds == campaign.seeds


def test_an_even_schedule_learns_nothing(store: Store) -> None:
    number = store.begin(PLAN.plain())
    campaign = begun(store, number, EVEN)
    take(store, campaign, number, Novelty(0, MUTANT, ("a",)))
    assert (campaign.arms, campaign.grown, store.yields(number)) == ([], 0, [])
    assert all(isinstance(seed, SeedFile) for seed in campaign.seeds)
