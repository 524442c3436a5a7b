"""Whether two samples differ: the sign test, effect sizes, Welch's t-test and the Mann-Whitney U test.

The last two need scipy.
"""

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


def p_text(value: float | None) -> str:
    if value is None:
        return "–"
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def _scipy() -> Any:
    try:
        return importlib.import_module("scipy.stats")
    except ImportError:
        raise SystemExit("scipy is needed for this; run: pip install 'falsum[bench]'") from None
