"""Totals of campaigns: always the sum of the batches, in few rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.store.test_store import finding_of

from falsum.store.reader import StoreReader
from falsum.store.records import Activity, BatchRecord, CampaignRecord, SeedRecord, Sighting, YieldRecord
from falsum.store.store import Store
from falsum.store.totals import MAX_SLOTS, tally_sum


def batch(number: int, strategy: str = "opfuzz", seed: str = "s.smt2", ending: str = "done") -> BatchRecord:
    tally = {
        "mutants": 20,
        "said": {"z3": {"sat": number % 3, "unsat": 1}},
        "rejections": {"z3": {f"message {number % 4}": 1}},
        "solver_cpu": 0.25,
    }
    return BatchRecord(number, strategy, seed, 20, 0.5, ending, tally)


def last(store: StoreReader) -> CampaignRecord:
    campaign = store.campaign()
    assert campaign is not None
    return campaign


def test_tallies_add_up() -> None:
    one = {"a": 1, "b": {"x": {"y": 1}}}
    other = {"a": 2.5, "b": {"x": {"y": 1, "z": 3}}, "c": 4}
    assert tally_sum(one, other) == {"a": 3.5, "b": {"x": {"y": 2, "z": 3}}, "c": 4}
    assert one == {"a": 1, "b": {"x": {"y": 1}}}


def test_slots_and_arms_have_the_sums_of_the_batches(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        campaign = store.begin({})
        for number in range(30):
            strategy = "opfuzz" if number % 2 else "storm"
            store.record(campaign, batch(number, strategy), elapsed=number * 0.4)
        slots, strategies = store.timeline(last(store)), store.strategy_totals(last(store))
    assert [slot.start for slot in slots] == list(range(12))
    for sums in (slots, strategies):
        assert sum(one.made for one in sums) == 600
        assert sum(one.batches for one in sums) == 30
        assert sum(one.seconds for one in sums) == pytest.approx(15)
        assert sum(one.tally["said"]["z3"]["sat"] for one in sums) == sum(n % 3 for n in range(30))
    assert [strategy.name for strategy in strategies] == ["opfuzz", "storm"]
    assert all("rejections" not in slot.tally for slot in slots)
    assert sum(n for strategy in strategies for n in strategy.tally["rejections"]["z3"].values()) == 30


def test_a_long_campaign_has_few_slots(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        campaign = store.begin({})
        for number in range(400):
            store.record(campaign, batch(number), elapsed=number * 97.0)
        slots = store.timeline(last(store))
    assert len(slots) <= MAX_SLOTS
    assert len({slot.width for slot in slots}) == 1
    assert sum(slot.made for slot in slots) == 8000
    assert [slot.start for slot in slots] == sorted({slot.start for slot in slots})
    assert slots[-1].start <= 399 * 97 < slots[-1].start + slots[-1].width


def test_recording_twice_counts_once(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        campaign = store.begin({})
        for _ in range(2):
            store.record(campaign, batch(0), findings=[finding_of()], elapsed=1.0)
        (slot,), (strategy,) = store.timeline(last(store)), store.strategy_totals(last(store))
    assert (
        (slot.batches, slot.found, slot.sightings)
        == (strategy.batches, strategy.found, strategy.sightings)
        == (1, 1, 1)
    )


def test_what_was_found_first_is_told_from_sightings(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        campaign = store.begin({})
        store.record(campaign, batch(0), findings=[finding_of()], elapsed=0.5)
        store.record(campaign, batch(1), sightings=[Sighting("crash | z3 | here", 4)], elapsed=0.6)
        (slot,) = store.timeline(last(store))
    assert (slot.found, slot.sightings) == (1, 2)


def test_libraries_are_arms_of_their_own_and_lost_batches_are_counted(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        campaign = store.begin({})
        store.record(campaign, batch(0, "api", "z3"), elapsed=0.1)
        store.record(campaign, batch(1, "api", "cvc5", "lost"), elapsed=0.2)
        assert [(strategy.name, strategy.lost) for strategy in store.strategy_totals(last(store))] == [
            ("cvc5", 1),
            ("z3", 0),
        ]


def test_workers_are_known_until_the_campaign_ends(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        campaign = store.begin({})
        store.record(campaign, batch(0), elapsed=1.0, activity=Activity(2))
        found = store.activity(campaign)
        assert found is not None
        assert found.jobs == 2
        assert found.at > 0
        store.end(campaign, "interrupted", 2.0)
        assert store.activity(campaign) is None


def test_arms_have_the_sums_of_their_batches(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        campaign = store.begin({})
        assert store.arms(campaign, 5) == (0, [])
        for number in range(6):
            logic = "QF_BV" if number % 3 else "QF_LIA"
            record = YieldRecord(number, "storm", "", (), 2.0, 0.5, logic=logic)
            for _ in range(2):  # the second time changes nothing
                store.learn(campaign, record)
        count, (most, *_others) = store.arms(campaign, 5)
        assert (count, most.logic, most.batches, most.gain, most.cost) == (2, "QF_BV", 4, 8.0, 2.0)
        assert most.rate == 4.0
        assert store.arms(campaign, 1) == (2, [most])


def test_findings_since_and_pages_of_seeds(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.add_finding(finding_of())
        (one,) = store.findings_since(0.0)
        assert store.findings_since(one.last_seen) == [one]
        assert store.findings_since(one.last_seen + 1) == []
        names = [f"{letter}/{number}.smt2" for letter in "ab" for number in range(5)]
        store.record_seeds(SeedRecord(name[::-1], name, "trivial" if "4" in name else "") for name in names)
        total, some = store.seeds_page("B/", 1, 2, only_left_out=False)
        assert (total, [seed.name for seed in some]) == (5, ["b/1.smt2", "b/2.smt2"])
        total, some = store.seeds_page("", 0, 50, only_left_out=True)
        assert (total, [seed.name for seed in some]) == (2, ["a/4.smt2", "b/4.smt2"])
