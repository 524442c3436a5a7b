"""What is waited for, and what a seed's measures say."""

from __future__ import annotations

import pytest

from falsum.campaign.search.seed_profile import slowest
from falsum.campaign.search.time_rules import SLOW_SECONDS, patience
from falsum.store.records import MeasureRecord


@pytest.mark.parametrize(
    ("times", "seconds"), [(0, 0.3), (1, 1.2), (2, 4.8), (3, SLOW_SECONDS), (999, SLOW_SECONDS)]
)
def test_who_was_put_off_is_waited_for_longer(times: int, seconds: float) -> None:
    assert patience(times) == pytest.approx(seconds)


def test_the_slowest_seed_counts() -> None:
    quick, slow, other = (MeasureRecord(*one, (), "finished") for one in (("a", 0.1), ("a", 0.3), ("b", 0.2)))
    assert slowest([{"a": quick}, {"a": slow, "b": other}, {"a": quick}]) == {"a": slow, "b": other}
