"""Shares of a count do not depend on how many batches run at once, on their order, or on interruptions."""

from __future__ import annotations

from random import Random

import pytest

from falsum.campaign.search.shares import Shares

COUNT, PER_VISIT = 100, 8


def made_by(number: int, share: int) -> int:
    """Some batches make less than they may."""
    return share if number % 3 else min(share, 5)


def run(jobs: int, rng: int, passed_over: set[int], stop: float = 0.0) -> dict[int, int]:
    """The shares that a campaign gives out; `stop` is how likely it is killed after a batch."""
    drawn = Random(rng)
    made: dict[int, int] = {}
    given: dict[int, int] = {}
    under_way: dict[int, int] = {}
    shares, number = Shares(COUNT, PER_VISIT, made), 0
    while sum(made.values()) < COUNT:
        while len(under_way) < jobs:
            while number in made or number in passed_over:
                number += 1
            share = shares.of(number, under_way)
            if not share:
                break
            assert given.setdefault(number, share) == share
            under_way[number] = share
            number += 1
        assert under_way
        ended = drawn.choice(list(under_way))
        made[ended] = made_by(ended, under_way.pop(ended))
        if drawn.random() < stop:
            shares, number = Shares(COUNT, PER_VISIT, made), 0
            under_way.clear()
    return {number: given[number] for number in made}


@pytest.mark.parametrize(
    "passed_over", [set[int](), {1, 7, 30}, set(range(40))], ids=["none", "some", "many"]
)
def test_every_campaign_gives_the_same_shares(passed_over: set[int]) -> None:
    alone = run(1, 0, passed_over)
    assert max(alone.values()) == PER_VISIT
    for rng in range(30):
        assert run(2 + rng % 7, rng, passed_over) == alone
        assert run(1 + rng % 7, rng, passed_over, stop=0.2) == alone


def test_a_count_is_reached_exactly() -> None:
    made = {number: made_by(number, share) for number, share in run(4, 1, set()).items()}
    assert sum(made.values()) == COUNT
