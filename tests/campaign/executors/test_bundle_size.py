"""How many tasks go into one message follows from how busy the coordinator is."""

from __future__ import annotations

from falsum.campaign.executors.bundle_size import MAX_SIZE, BundleSize


def sizes(*shares: float) -> list[int]:
    """The sizes after periods of ten seconds, in each of which this share of a core was used."""
    bundle, cpu, seen = BundleSize(0.0, 0.0), 0.0, []
    for number, share in enumerate(shares, 1):
        cpu += 10 * share
        bundle.look(10.0 * number, cpu)
        seen.append(bundle.size)
    return seen


def test_it_grows_when_busy_and_shrinks_when_idle() -> None:
    assert sizes(0.05, 0.5, 0.2, 0.08, 0.04, 0.01, 0.01, 0.0) == [1, 2, 4, 4, 4, 2, 1, 1]
    assert sizes(*([0.9] * 20))[-1] == MAX_SIZE


def test_it_is_looked_at_now_and_then_only() -> None:
    bundle = BundleSize(0.0, 0.0)
    bundle.look(1.0, 1.0)
    assert bundle.size == 1
