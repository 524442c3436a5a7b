"""What is waited for, and what a seed's measures say."""

from __future__ import annotations

import pytest

from falsum.campaign.fuzz.seed_profile import SLOW_SECONDS, patience, slowest
from falsum.store.records import MeasureRecord


@pytest.mark.parametrize(("cpu", "seconds"), [(0, 0.3), (60, 0.3), (200, 1.0), (100_000, SLOW_SECONDS)])
def test_patience_grows_with_a_campaign(cpu: float, seconds: float) -> None:
    assert patience(cpu) == pytest.approx(seconds)


def test_the_slowest_seed_counts() -> None:
    quick, slow, other = (MeasureRecord(*one, (), "finished") for one in (("a", 0.1), ("a", 0.3), ("b", 0.2)))
    assert slowest([{"a": quick}, {"a": slow, "b": other}, {"a": quick}]) == {"a": slow, "b": other}
