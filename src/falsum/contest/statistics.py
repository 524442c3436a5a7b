"""Whether samples differ: Mann and Whitney's U, Vargha and Delaney's A12, mean ranks, Nemenyi's test."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Final

Sample = Sequence[float]

# Quantiles of the studentised range for infinite degrees of freedom at 5 %, divided by the root of 2, for 2,
# 3, … samples.
_QUANTILES: Final = (
    1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164, 3.219, 3.268, 3.313, 3.354, 3.391, 3.426,
    3.458, 3.489, 3.517, 3.544,
)  # fmt: skip
MOST_SAMPLES: Final = len(_QUANTILES) + 1


def effect_size(one: Sample, other: Sample) -> float:
    """Vargha and Delaney's A12: how likely a value of the other sample is larger."""
    wins = sum((b > a) + 0.5 * (a == b) for a in one for b in other)
    return wins / (len(one) * len(other))


def mann_whitney(one: Sample, other: Sample) -> tuple[float, float]:
    """U of the first sample, and its p, two-sided, by the normal distribution with corrections for ties and
    continuity: an approximation, for samples of eight or more.
    """
    u = len(one) * len(other) * effect_size(other, one)
    count = len(one) + len(other)
    ties = sum(number**3 - number for number in Counter([*one, *other]).values())
    spread = len(one) * len(other) / 12 * (count + 1 - ties / (count * (count - 1)))
    if spread <= 0:
        return u, 1.0
    distance = max(0.0, abs(u - len(one) * len(other) / 2) - 0.5) / math.sqrt(spread)
    return u, min(1.0, 2 * (1 - NormalDist().cdf(distance)))


def mean_ranks(samples: Mapping[str, Sample]) -> dict[str, float]:
    """The mean rank of each sample over runs that belong together; 1 is the one with the largest values."""
    sums = dict.fromkeys(samples, 0.0)
    blocks = list(zip(*samples.values(), strict=True))
    for block in blocks:
        for name, value in zip(samples, block, strict=True):
            better, equal = sum(other > value for other in block), sum(other == value for other in block)
            sums[name] += better + (equal + 1) / 2
    return {name: total / len(blocks) for name, total in sums.items()}


def critical_difference(samples: int, blocks: int) -> float:
    """How far two mean ranks must be apart to differ (Nemenyi's test, 5 %), for 2 to 20 samples."""
    return _QUANTILES[samples - 2] * math.sqrt(samples * (samples + 1) / (6 * blocks))


def p_text(value: float | None) -> str:
    if value is None:
        return "–"
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"
