"""Exact tests, compared with values from tables and by counting."""

from __future__ import annotations

from math import isclose

import pytest

from falsum.audits.statistics import at_least_p, at_most_p, fisher_p, median, rank_sum_p, wilson


@pytest.mark.parametrize(
    ("smaller", "larger", "p"),
    [
        ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 1 / 252),
        ([1, 2, 3, 4, 6], [5, 7, 8, 9, 10], 2 / 252),
        ([1, 1], [1, 1], 1.0),
        ([6, 7, 8], [1, 2, 3], 1.0),
        ([1, 3], [2, 4], 2 / 6),
    ],
)
def test_rank_sums_are_counted(smaller: list[float], larger: list[float], p: float) -> None:
    assert isclose(rank_sum_p(smaller, larger), p)


def test_rank_sums_of_many_runs_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 8"):
        rank_sum_p([1.0] * 9, [2.0])


@pytest.mark.parametrize(
    ("few", "of", "many", "others", "ways", "all_ways"),
    [(0, 5, 5, 5, 1, 252), (1, 5, 5, 5, 5, 210), (5, 5, 5, 5, 1, 1), (0, 2, 1, 2, 2, 4)],
)
def test_fisher_counts_ways(few: int, of: int, many: int, others: int, ways: int, all_ways: int) -> None:
    """`ways` to choose which runs succeed so that as few of them, or fewer, are among the first."""
    assert isclose(fisher_p(few, of, many, others), ways / all_ways)


def test_binomials() -> None:
    assert isclose(at_most_p(0, 3, 0.5), 1 / 8)
    assert isclose(at_least_p(60, 60, 0.95), 0.95**60)
    assert isclose(at_least_p(0, 4, 0.3), 1.0)


def test_intervals_hold_the_rate_and_narrow() -> None:
    for of in (5, 20, 60):
        for good in range(of + 1):
            low, high = wilson(good, of)
            assert 0 <= low <= good / of <= high <= 1
    assert wilson(30, 60)[1] - wilson(30, 60)[0] < wilson(10, 20)[1] - wilson(10, 20)[0]
    assert wilson(0, 0) == (0.0, 1.0)


def test_medians() -> None:
    assert (median([3, 1, 2]), median([1, 2, 3, 4]), median([])) == (2, 2.5, 0.0)
