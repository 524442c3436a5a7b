"""Integer corners of the standard, and the size budget."""

from __future__ import annotations

import pytest

from falsum.smtlib.values import integers
from falsum.smtlib.values.cannot_say import CannotSay

HUGE = 1 << 200_000


@pytest.mark.parametrize(
    ("m", "n", "quotient", "remainder"),
    [
        (7, 2, 3, 1),
        (-7, 2, -4, 1),
        (7, -2, -3, 1),
        (-7, -2, 4, 1),
        (6, 3, 2, 0),
        (-6, 3, -2, 0),
        (6, -3, -2, 0),
        (-6, -3, 2, 0),
        (0, 5, 0, 0),
        (0, -5, 0, 0),
        (1, 100, 0, 1),
        (-1, 100, -1, 99),
        (-1, -100, 1, 99),
        (5, 0, None, None),
        (0, 0, None, None),
    ],
)
def test_division_is_euclidean(m: int, n: int, quotient: int, remainder: int) -> None:
    assert integers.div(m, n) == quotient
    assert integers.mod(m, n) == remainder


def test_division_law() -> None:
    for m in range(-30, 31):
        for n in (*range(-7, 0), *range(1, 8)):
            q, r = integers.div(m, n), integers.mod(m, n)
            assert q is not None
            assert r is not None
            assert m == n * q + r
            assert 0 <= r < abs(n)


@pytest.mark.parametrize(
    ("m", "n", "result"),
    [
        (0, 0, 1),
        (5, 0, 1),
        (2, 10, 1024),
        (-2, 3, -8),
        (-2, 4, 16),
        (0, 7, 0),
        (1, -3, 1),
        (-1, -3, -1),
        (-1, -4, 1),
        (2, -1, 0),
        (-2, -3, 0),
        (7, -100, 0),
        (0, -1, None),
        (1, 10**30, 1),
        (-1, 10**30 + 1, -1),
        (0, 10**30, 0),
        (3, -(10**30), 0),
    ],
)
def test_power(m: int, n: int, result: int | None) -> None:
    assert integers.power(m, n) == result


@pytest.mark.parametrize(
    ("n", "x", "result"),
    [(1, 0, True), (1, 7, True), (3, -9, True), (3, 0, True), (3, 4, False), (5, -4, False)],
)
def test_divisible(n: int, x: int, result: bool) -> None:
    assert integers.divisible(n, x) is result


def test_abs_and_neg() -> None:
    assert integers.abs_(-3) == integers.abs_(3) == 3
    assert integers.neg(0) == 0
    assert integers.neg(-4) == 4


def test_cvc5_extensions() -> None:
    assert [integers.pow2(n) for n in (-5, -1, 0, 1, 10)] == [0, 0, 1, 2, 1024]
    assert [integers.log2(n) for n in (-5, 0, 1, 2, 3, 4, 1023, 1024)] == [0, 0, 0, 1, 1, 2, 9, 10]
    assert integers.iand(4, -1, 21) == 5
    assert integers.iand(1, 2, 3) == 0
    assert integers.iand(8, -1, -1) == 255


def test_beyond_the_budget_is_cannot_say() -> None:
    for refused in (
        integers.mul(HUGE, HUGE),
        integers.power(2, 10**9),
        integers.power(10**9, 10**6),
        integers.power(-3, 10**40),
        integers.pow2(10**30),
        integers.iand(10**12, -1, -1),
        integers.add((1 << integers.MAX_BITS) - 1, 1),
        integers.sub(-(1 << integers.MAX_BITS) + 1, 1),
    ):
        assert isinstance(refused, CannotSay)


def test_within_the_budget_is_exact() -> None:
    assert integers.mul(HUGE, 3) == HUGE * 3
    assert integers.add(HUGE, -HUGE) == 0
    assert integers.sub(HUGE, 1) == HUGE - 1
    assert integers.power(2, 1000) == 1 << 1000


def test_decimal_text_of_any_length() -> None:
    for x in (0, 7, 10**4299, 10**5000 + 3, -(10**6000)):
        text = integers.to_decimal(x)
        assert integers.from_decimal(text.lstrip("-")) == abs(x)
        assert text.startswith("-") is (x < 0)
    assert integers.from_decimal("0" * 5000 + "12") == 12
