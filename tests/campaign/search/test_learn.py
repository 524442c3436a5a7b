"""The schedule that learns: it goes where something is gained, gives nothing up, and can be repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from falsum.campaign.search.even import PLAIN_SHARE
from falsum.campaign.search.learn import FLOOR, Arm, LearnSchedule
from falsum.campaign.search.schedule import PLAIN, Slot, Yield

LOGICS = ["QF_LIA"] * 6 + ["QF_BV"] * 3 + ["QF_S"] * 3
ARITIES = {"storm": 1, "typefuzz": 1, "opfuzz": 1, "fusion": 2}


def run(schedule: LearnSchedule, count: int, result: Callable[[Slot], Yield]) -> list[Slot]:
    slots = []
    for _ in range(count):
        slot = schedule.next()
        assert slot is not None
        schedule.learn(slot, result(slot))
        slots.append(slot)
    return slots


def logic_gain(slot: Slot) -> Yield:
    """Only opfuzz on strings brings something."""
    return Yield(3 if slot.strategy == "opfuzz" and LOGICS[slot.seeds[0]] == "QF_S" else 0, 1.0)


def test_batches_go_where_something_is_gained_and_nothing_is_given_up() -> None:
    slots = run(LearnSchedule(LOGICS, ARITIES, 3), 400, logic_gain)
    late = Counter((slot.strategy, LOGICS[slot.seeds[0]]) for slot in slots[100:])
    assert late["opfuzz", "QF_S"] > 100  # an even share is 19
    assert {slot.strategy for slot in slots[100:]} == set(ARITIES)
    assert {slot.seeds[0] for slot in slots[100:]} == set(range(12))


def test_the_same_results_in_the_same_order_give_the_same_batches() -> None:
    once, again = (run(LearnSchedule(LOGICS, ARITIES, 3), 100, logic_gain) for _ in range(2))
    assert once == again
    assert once != run(LearnSchedule(LOGICS, ARITIES, 4), 100, logic_gain)
    assert [slot.number for slot in once] == list(range(100))
    assert once[7].rng == "3:7"


def test_what_costs_more_gets_less() -> None:
    schedule = LearnSchedule(["a"] * 6, {"opfuzz": 1}, 3)
    slots = run(schedule, 300, lambda slot: Yield(1, 9.0 if slot.seeds[0] == 0 else 0.5))
    shares = Counter(slot.seeds[0] for slot in slots)
    assert shares[0] < 0.7 * sum(shares[seed] for seed in range(1, 6)) / 5
    assert shares[0] >= 10  # its share of the even batches


def test_seeds_with_more_mutants_in_the_same_time_get_more() -> None:
    """But no seed gets all: what is decided at once may be trivial."""
    schedule = LearnSchedule(["a"] * 6, {"opfuzz": 1}, 3)
    slots = run(schedule, 400, lambda slot: Yield(0, 1.0, decided=1 + 9 * (slot.seeds[0] > 2)))
    shares = Counter(slot.seeds[0] > 2 for slot in slots)
    assert 0.1 * shares[True] < shares[False] < 0.6 * shares[True]


def test_a_strategy_visits_every_seed_before_it_comes_back_to_one() -> None:
    """Batches of the even schedule excepted; no result need be known."""
    schedule = LearnSchedule(["a"] * 40, {"opfuzz": 1}, 3)
    first = Counter(slot.seeds[0] for _ in range(40) if (slot := schedule.next()) is not None)
    assert len(first) >= 40 * (1 - FLOOR)
    assert max(first.values()) <= 2


def test_turns_are_known_when_a_campaign_is_resumed() -> None:
    def result(slot: Slot) -> Yield:
        return Yield(1, 1.0)

    logics = ["a"] * 30
    slots = run(LearnSchedule(logics, {"opfuzz": 1}, 3), 20, result)
    resumed = LearnSchedule(logics, {"opfuzz": 1}, 3, range(20))
    for slot in slots:
        resumed.learn(slot, result(slot))
    seen = {slot.seeds[0] for slot in slots}
    after = [slot.seeds[0] for slot in run(resumed, 8, result)]
    assert sum(seed not in seen for seed in after) >= 6


def test_a_strategy_without_other_mutants_of_a_seed_gets_only_the_even_batches() -> None:
    def opfuzz_batches(*, is_spent: bool) -> int:
        def result(slot: Slot) -> Yield:
            return Yield(1, 1.0, is_spent=is_spent and slot.strategy == "opfuzz")

        slots = run(LearnSchedule(["a"] * 4, {"opfuzz": 1, "typefuzz": 1}, 3), 400, result)
        return sum(slot.strategy == "opfuzz" for slot in slots)

    assert opfuzz_batches(is_spent=True) == pytest.approx(400 * FLOOR / 2, abs=20)
    assert opfuzz_batches(is_spent=False) > 100


def test_a_single_find_does_not_take_all_that_follows() -> None:
    """What was found once on a seed is seldom found there twice."""
    schedule = LearnSchedule(["a"] * 40, {"opfuzz": 1, "typefuzz": 1}, 3)
    slots = run(schedule, 200, lambda slot: Yield(60 if slot.number == 20 else 1, 0.5))
    lucky = slots[20].seeds[0]
    shares = Counter(slot.seeds[0] for slot in slots[21:])
    assert shares[lucky] < 40
    assert len(shares) >= 38


def test_a_strategy_that_finds_again_and_again_is_preferred_from_the_beginning() -> None:
    """Findings count beside the flood of new behaviour with which a campaign begins."""

    def result(slot: Slot) -> Yield:
        found = 0.5 if slot.strategy == "opfuzz" and slot.number % 2 else 0.0
        return Yield(12, 0.6, found=found)

    slots = run(LearnSchedule(LOGICS, ARITIES, 3), 150, result)
    shares = Counter(slot.strategy for slot in slots[50:])
    assert shares["opfuzz"] > 1.7 * 100 / len(ARITIES)
    assert min(shares.values()) >= 5


def test_a_strategy_that_is_expected_to_be_better_has_more_until_it_is_not() -> None:
    schedule = LearnSchedule(LOGICS, ARITIES, 3, expected={"opfuzz": 3.0, "storm": 0.3})
    early = Counter(slot.strategy for slot in run(schedule, 20, lambda _slot: Yield(1, 0.5)))
    assert early["opfuzz"] > 10
    late = Counter(slot.strategy for slot in run(schedule, 400, lambda _slot: Yield(1, 0.5))[-100:])
    assert late["opfuzz"] < 60
    run(schedule, 400, lambda slot: Yield(1, 0.5, found=0.2 * (slot.strategy == "storm")))
    last = Counter(slot.strategy for slot in run(schedule, 100, lambda _slot: Yield(1, 0.5)))
    assert last["storm"] > last["opfuzz"]


def test_a_seed_with_a_finding_is_not_preferred() -> None:
    """What else is found with it is most often the same bug."""
    schedule = LearnSchedule(["a"] * 12, {"opfuzz": 1}, 3)
    slots = run(
        schedule, 600, lambda slot: Yield(1, 0.5, float(slot.seeds[0] == 0), shown=slot.seeds[0] == 0)
    )
    assert sum(slot.seeds[0] == 0 for slot in slots) < 1.5 * 600 / 12


def test_other_configurations_have_a_fixed_share_however_much_they_show() -> None:
    schedule = LearnSchedule(LOGICS, ARITIES, 3, configurations=["push", "seed"])
    slots = run(schedule, 400, lambda slot: Yield(20.0 * (slot.configuration != PLAIN), 1.0))
    share = sum(slot.configuration == PLAIN for slot in slots) / 400
    assert share == pytest.approx(PLAIN_SHARE, abs=0.06)


def test_what_is_new_at_the_beginning_counts_no_more_than_what_is_new_later() -> None:
    """The first batches show more that is new, whatever they do: arms are compared with their own time."""
    schedule = LearnSchedule(["a"] * 60, {"opfuzz": 1, "typefuzz": 1, "storm": 1}, 3)
    slots = run(schedule, 400, lambda slot: Yield(20 * 0.97**slot.number, 0.5))
    early = {slot.seeds[0] for slot in slots[:10]}
    late = Counter(slot.seeds[0] for slot in slots[100:])
    mean = sum(late[seed] for seed in early) / len(early)
    assert mean < 2 * 300 / 60  # an even share is 5


def test_what_was_good_long_ago_is_forgotten() -> None:
    schedule = LearnSchedule(LOGICS, ARITIES, 3)
    run(schedule, 200, logic_gain)
    slots = run(schedule, 900, lambda slot: Yield(3 if slot.strategy == "storm" else 0, 5.0))
    late = Counter(slot.strategy for slot in slots[-300:])
    assert late["storm"] > late["opfuzz"]


def test_a_configuration_is_part_of_an_arm_and_may_be_dropped() -> None:
    schedule = LearnSchedule(LOGICS, ARITIES, 3, configurations=["push", "seed"])
    slots = run(schedule, 300, lambda slot: Yield(float(slot.configuration == "push"), 1.0))
    shares = Counter(slot.configuration for slot in slots)
    assert shares["push"] > shares["seed"] > 3
    assert {arm.configuration for arm in schedule.arms} == {PLAIN, "push", "seed"}
    schedule.drop("push")
    assert {slot.configuration for slot in run(schedule, 60, logic_gain)} == {PLAIN, "seed"}


def test_an_added_seed_has_its_share_until_it_is_left_out() -> None:
    schedule = LearnSchedule(LOGICS, {"opfuzz": 1}, 3)
    place = schedule.add("QF_BV")
    assert place == len(LOGICS)
    slots = run(schedule, 100, lambda slot: Yield(float(slot.seeds[0] == place), 0.2))
    assert sum(slot.seeds[0] == place for slot in slots) <= 2  # given seeds come first
    slots = run(schedule, 100, lambda slot: Yield(float(slot.seeds[0] == place), 60.0))
    assert 8 <= sum(slot.seeds[0] == place for slot in slots) <= 22  # a fifth of four fifths
    assert schedule.rate(place) > schedule.rate(0)
    schedule.leave_out(place)
    assert all(slot.seeds[0] != place for slot in run(schedule, 50, lambda _slot: Yield(1, 1)))


def test_a_seed_with_findings_has_to_wait() -> None:
    schedule = LearnSchedule(["QF_LIA"] * 4, {"opfuzz": 1}, 3)
    # Bugs that are known by now count as well: they are no reason to come back.
    slots = run(schedule, 300, lambda slot: Yield(1, 1, shown=slot.seeds[0] == 0))
    visits = Counter(slot.seeds[0] for slot in slots)
    assert visits[0] < 0.4 * min(visits[place] for place in (1, 2, 3))


def test_exhausted_seeds_and_partners() -> None:
    schedule = LearnSchedule(LOGICS, ARITIES, 3)
    schedule.exhaust(1, "opfuzz")
    slots = run(schedule, 200, lambda _slot: Yield(1, 1))
    assert (1, "opfuzz") not in {(slot.seeds[0], slot.strategy) for slot in slots}
    pairs = [slot.seeds for slot in slots if slot.strategy == "fusion"]
    assert pairs
    assert all(one != other and LOGICS[one] == LOGICS[other] for one, other in pairs)


def test_it_ends_when_no_seed_is_left() -> None:
    schedule = LearnSchedule(["a", "b"], {"opfuzz": 1}, 3)
    schedule.leave_out(0)
    schedule.leave_out(1)
    assert schedule.next() is None


def test_generators_take_no_seed() -> None:
    schedule = LearnSchedule(["a"], {"generate": 0}, 3)
    slots = run(schedule, 5, lambda _slot: Yield(1, 1))
    assert {slot.seeds for slot in slots} == {()}
    assert set(schedule.arms) == {Arm("generate", "")}


def test_what_was_under_way_is_run_first_and_nothing_twice() -> None:
    slots = run(LearnSchedule(LOGICS, ARITIES, 3, done=[0, 1, 5]), 5, logic_gain)
    assert [slot.number for slot in slots] == [2, 3, 4, 6, 7]


def test_the_even_share_is_the_same_after_a_kill() -> None:
    """Batches of the even schedule are what they would have been, whichever were under way."""

    def even_share(slots: list[Slot]) -> dict[int, tuple[str, tuple[int, ...]]]:
        return {
            slot.number: (slot.strategy, slot.seeds)
            for slot in slots
            if Random(f"3:{slot.number}:arm").random() < FLOOR
        }

    whole = even_share(run(LearnSchedule(LOGICS, ARITIES, 3), 60, logic_gain))
    lost = {7, 20, 21, 22, 23, 41}
    after = LearnSchedule(LOGICS, ARITIES, 3, done=set(range(50)) - lost)
    again = even_share(run(after, len(lost) + 10, logic_gain))
    assert again == {number: whole[number] for number in whole if number in lost or number >= 50}
    assert len(again) > 4


@pytest.mark.parametrize("seed", range(3))
def test_one_easy_bug_does_not_fill_a_campaign(seed: int) -> None:
    """Every mutant of seed 0 shows the same known bug: its batches cost more than they take."""
    slots = run(
        LearnSchedule(LOGICS, ARITIES, seed),
        300,
        lambda slot: Yield(0.2, 1.0, wasted=20.0 * (slot.seeds[0] == 0)),
    )
    assert sum(slot.seeds[0] == 0 for slot in slots) < 300 / len(LOGICS)
