"""Exact tests on small numbers of runs, without assumptions about the distribution of times."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb, sqrt
from typing import Final

_Z: Final = 1.959964  # of an interval of 95 %
# Rank sums are enumerated: 8 against 8 are 12,870 ways.
MAX_RUNS: Final = 8


def rank_sum_p(smaller: Sequence[float], larger: Sequence[float]) -> float:
    """The probability that `larger` ranks this high if both have one distribution (exact, one-sided).

    The rank-sum test of Wilcoxon, Mann and Whitney; ties get middle ranks.
    """
    if max(len(smaller), len(larger)) > MAX_RUNS:
        raise ValueError(f"at most {MAX_RUNS} runs a side")
    ranks = _ranks([*smaller, *larger])
    statistic = sum(ranks[len(smaller) :])
    sums = [sum(ranks_chosen) for ranks_chosen in combinations(ranks, len(larger))]
    return sum(each >= statistic - 1e-9 for each in sums) / len(sums)


def _ranks(values: Sequence[float]) -> list[float]:
    in_order = sorted(values)
    first = {value: place for place, value in reversed(list(enumerate(in_order, 1)))}
    return [first[value] + (in_order.count(value) - 1) / 2 for value in values]


def fisher_p(few: int, of: int, many: int, of_others: int) -> float:
    """The probability of this few successes on one side and this many on the other at one rate (Fisher,
    exact, one-sided).
    """
    successes, total = few + many, of + of_others
    ways = [comb(successes, n) * comb(total - successes, of - n) for n in range(min(successes, of) + 1)]
    return sum(ways[: few + 1]) / comb(total, of)


def at_most_p(successes: int, of: int, rate: float) -> float:
    """The probability of at most this number of successes at this rate."""
    return sum(comb(of, n) * rate**n * (1 - rate) ** (of - n) for n in range(successes + 1))


def at_least_p(successes: int, of: int, rate: float) -> float:
    """The probability of at least this number of successes at this rate."""
    return at_most_p(of - successes, of, 1 - rate)


def likelihood_ratio(successes: int, failures: int, rate: float, other: float) -> float:
    """The ratio of the likelihoods of these successes at two rates."""
    return float((rate / other) ** successes * ((1 - rate) / (1 - other)) ** failures)


def wilson(successes: int, of: int) -> tuple[float, float]:
    """The interval of a success rate, 95 %."""
    if not of:
        return 0.0, 1.0
    rate, square = successes / of, _Z * _Z
    centre = rate + square / (2 * of)
    margin = _Z * sqrt(rate * (1 - rate) / of + square / (4 * of * of))
    scale = 1 + square / of
    return max(0.0, (centre - margin) / scale), min(1.0, (centre + margin) / scale)


def median(values: Sequence[float]) -> float:
    in_order = sorted(values)
    half = len(in_order) // 2
    if not in_order:
        return 0.0
    return in_order[half] if len(in_order) % 2 else (in_order[half - 1] + in_order[half]) / 2
