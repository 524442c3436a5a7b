"""The schedule: a number means the same always, and every prefix is spread evenly."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from falsum.campaign.search.even import EvenSchedule
from falsum.campaign.search.schedule import PLAIN, Yield

LOGICS = ["QF_LIA"] * 6 + ["QF_BV"] * 3 + ["QF_S"] * 3
ARITIES = {"storm": 1, "typefuzz": 1, "opfuzz": 1}


def numbers(schedule: EvenSchedule, count: int) -> list[int]:
    slots = iter(schedule.next, None)
    return [slot.number for slot in islice(slots, count)]


def test_a_number_means_the_same_always() -> None:
    one, other = EvenSchedule(LOGICS, ARITIES, 3), EvenSchedule(LOGICS, ARITIES, 3)
    numbers(one, 17)
    other.leave_out(2)
    assert [one.slot(n) for n in (0, 5, 31, 100)] == [other.slot(n) for n in (0, 5, 31, 100)]
    assert one.slot(5) != EvenSchedule(LOGICS, ARITIES, 4).slot(5)


@pytest.mark.parametrize("size", [12, 36, 37, 50])
def test_every_prefix_is_spread_evenly(size: int) -> None:
    schedule = EvenSchedule(LOGICS, ARITIES, 3)
    slots = [schedule.slot(number) for number in range(size)]
    seeds = Counter(slot.seeds[0] for slot in slots)
    assert max(seeds.values()) - min(seeds[seed] for seed in range(12)) <= 1
    strategies = Counter(slot.strategy for slot in slots)
    assert max(strategies.values()) - min(strategies.values()) <= 4


def test_logics_are_mixed_all_along() -> None:
    schedule = EvenSchedule(LOGICS, ARITIES, 3)
    for start in range(0, 120, 12):
        first_half = [schedule.slot(start + offset).seeds[0] for offset in range(6)]
        assert 2 <= sum(LOGICS[seed] == "QF_LIA" for seed in first_half) <= 4


def test_every_seed_meets_every_strategy() -> None:
    schedule = EvenSchedule(LOGICS, ARITIES, 3)
    met = {(slot.seeds[0], slot.strategy) for slot in map(schedule.slot, range(36))}
    assert len(met) == 36


def test_what_is_done_is_not_done_again() -> None:
    schedule = EvenSchedule(LOGICS, ARITIES, 3, done=[0, 1, 3, 4])
    assert numbers(schedule, 3) == [2, 5, 6]


def test_seeds_left_out_do_not_come_and_none_left_means_the_end() -> None:
    schedule = EvenSchedule(["a", "b"], ARITIES, 3)
    schedule.leave_out(0)
    slots = [schedule.next() for _ in range(10)]
    assert {slot.seeds for slot in slots if slot} == {(1,)}
    schedule.leave_out(1)
    assert schedule.next() is None


def test_seeds_that_keep_timing_out_lose_their_share() -> None:
    schedule = EvenSchedule(["a", "a", "a"], {"storm": 1}, 3)
    shares: Counter[int] = Counter()
    for _ in range(120):
        slot = schedule.next()
        assert slot is not None
        shares[slot.seeds[0]] += 1
        schedule.learn(slot, Yield(0, 1, mostly_timeouts=slot.seeds[0] == 0))
    assert shares[0] < shares[1] / 4
    assert shares[0] >= 2


def test_if_all_time_out_the_work_goes_on() -> None:
    schedule = EvenSchedule(["a", "a"], {"storm": 1}, 3)
    for _ in range(40):
        slot = schedule.next()
        assert slot is not None
        schedule.learn(slot, Yield(0, 1, mostly_timeouts=True))


def test_pairs_that_cannot_be_made_end_it() -> None:
    schedule = EvenSchedule(["a", "b"], {"fusion": 2}, 3)
    schedule.leave_out(1)
    assert schedule.next() is None


def test_partners_share_the_logic() -> None:
    schedule = EvenSchedule(LOGICS, {"fusion": 2}, 3)
    for number in range(60):
        one, other = schedule.slot(number).seeds
        assert one != other
        assert LOGICS[one] == LOGICS[other]
    assert EvenSchedule(["a"], {"fusion": 2}, 3).slot(0).seeds == (0, 0)
    assert EvenSchedule(["a", "b"], {"making": 0}, 3).slot(0).seeds == ()


def test_a_strategy_that_is_done_with_a_seed_leaves_it_to_the_others() -> None:
    schedule = EvenSchedule(["QF_LIA"] * 3, {"valfuzz": 1, "opfuzz": 1}, 1)
    schedule.exhaust(1, "valfuzz")
    slots = [slot for _ in range(30) if (slot := schedule.next()) is not None]
    met = {(slot.seeds[0], slot.strategy) for slot in slots}
    assert (1, "valfuzz") not in met
    assert len(met) == 5


def test_few_batches_are_in_another_configuration() -> None:
    schedule = EvenSchedule(LOGICS, ARITIES, 3, configurations=["a", "b"])
    counts = Counter(schedule.slot(number).configuration for number in range(400))
    assert counts[PLAIN] == pytest.approx(360, abs=25)
    assert counts["a"] == pytest.approx(20, abs=15)
    schedule.drop("a")
    slots = [slot for _ in range(100) if (slot := schedule.next()) is not None]
    assert {slot.configuration for slot in slots} == {PLAIN, "b"}
