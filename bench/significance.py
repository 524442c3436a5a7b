"""Whether samples differ: sign test, and tests that need scipy; see falsum.contest.statistics, too."""

from __future__ import annotations

import importlib
import math
import statistics
from collections.abc import Sequence
from typing import Any

Sample = Sequence[float]


def mean_and_deviation(values: Sample) -> str:
    if not values:
        return "–"
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return f"{statistics.mean(values):.2f} ± {deviation:.2f}"


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


def mann_whitney(one: Sample, other: Sample, alternative: str) -> tuple[float, float]:
    """U and p of the Mann-Whitney test, one-sided or exact where samples are small."""
    result = _scipy().mannwhitneyu(one, other, alternative=alternative)
    return float(result.statistic), float(result.pvalue)


def _scipy() -> Any:
    try:
        return importlib.import_module("scipy.stats")
    except ImportError:
        raise SystemExit("scipy is needed for this; run: pip install 'falsum[bench]'") from None
