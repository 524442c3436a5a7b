"""Whether samples differ: sign test, effect sizes, Welch's t-test, Mann-Whitney U test, ranks.

Welch's, Mann and Whitney's and the critical difference need scipy.
"""

from __future__ import annotations

import importlib
import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

Sample = Sequence[float]


def mean_and_deviation(values: Sample) -> str:
    if not values:
        return "–"
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return f"{statistics.mean(values):.2f} ± {deviation:.2f}"


def effect_size(one: Sample, other: Sample) -> float:
    """Vargha and Delaney's A12: how likely a value of the other sample is larger."""
    wins = sum((b > a) + 0.5 * (a == b) for a in one for b in other)
    return wins / (len(one) * len(other))


def sign_test(first: int, second: int) -> float:
    """The p of the sign test, two-sided: how likely a fair coin divides its throws at least as unevenly."""
    count = first + second
    tail = sum(math.comb(count, heads) for heads in range(min(first, second) + 1))
    return min(1.0, float(2 * tail / 2**count))


def welch(one: Sample, other: Sample) -> float | None:
    """The p of Welch's t-test, two-sided; None if the samples do not allow one."""
    if min(len(one), len(other)) < 2 or len({*one, *other}) < 2:
        return None
    if statistics.variance(one) + statistics.variance(other) == 0:
        return None  # constant samples: the test divides by their variance
    return float(_scipy().ttest_ind(one, other, equal_var=False).pvalue)


def mann_whitney(one: Sample, other: Sample, alternative: str = "two-sided") -> tuple[float, float]:
    """U and p of the Mann-Whitney test."""
    result = _scipy().mannwhitneyu(one, other, alternative=alternative)
    return float(result.statistic), float(result.pvalue)


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
    """How far two mean ranks must be apart to differ (Nemenyi's test, 5 %)."""
    quantile = float(_scipy().studentized_range.ppf(0.95, samples, math.inf)) / math.sqrt(2)
    return quantile * math.sqrt(samples * (samples + 1) / (6 * blocks))


def p_text(value: float | None) -> str:
    if value is None:
        return "–"
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def _scipy() -> Any:
    try:
        return importlib.import_module("scipy.stats")
    except ImportError:
        raise SystemExit("scipy is needed for this; run: pip install 'falsum[bench]'") from None
