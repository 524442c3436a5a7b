"""Floating-point corners, and arithmetic against the machine's own doubles."""

from __future__ import annotations

import math
import struct
from random import Random

import pytest
from tests.smtlib.values.samples import pattern

from falsum.smtlib.values import floats
from falsum.smtlib.values.rounding import Format, RoundingMode

RNE, RNA, RTP, RTN, RTZ = RoundingMode
HALF = Format(5, 11)
DOUBLE = Format(11, 53)
TINY = Format(2, 2)
NAN, INF, MINUS_INF, ZERO, MINUS_ZERO = 0x7E00, 0x7C00, 0xFC00, 0x0000, 0x8000
ONE, TWO, THREE, LARGEST, SMALLEST = 0x3C00, 0x4000, 0x4200, 0x7BFF, 0x0001


def test_constants_are_canonical() -> None:
    assert floats.nan(HALF) == NAN
    assert floats.plus_infinity(HALF) == INF
    assert floats.minus_infinity(HALF) == MINUS_INF
    assert floats.plus_zero(HALF) == ZERO
    assert floats.minus_zero(HALF) == MINUS_ZERO
    assert floats.nan(TINY) == 0b0111
    for significand in (1, 2, 512, 1023):
        assert floats.triple(HALF, 0, 31, significand) == NAN
        assert floats.triple(HALF, 1, 31, significand) == NAN
    assert floats.triple(HALF, 1, 31, 0) == MINUS_INF
    assert floats.triple(HALF, 0, 15, 0) == ONE


@pytest.mark.parametrize(
    ("x", "holding"),
    [
        (NAN, {"nan"}),
        (INF, {"infinite", "positive"}),
        (MINUS_INF, {"infinite", "negative"}),
        (ZERO, {"zero", "positive"}),
        (MINUS_ZERO, {"zero", "negative"}),
        (SMALLEST, {"subnormal", "positive"}),
        (0x83FF, {"subnormal", "negative"}),
        (0x0400, {"normal", "positive"}),
        (0xFBFF, {"normal", "negative"}),
    ],
)
def test_classes(x: int, holding: set[str]) -> None:
    for name in ("nan", "infinite", "zero", "subnormal", "normal", "negative", "positive"):
        assert getattr(floats, f"is_{name}")(HALF, x) is (name in holding)


@pytest.mark.parametrize(
    ("x", "y", "less", "equal"),
    [
        (NAN, NAN, False, False),
        (NAN, ONE, False, False),
        (ONE, NAN, False, False),
        (ZERO, MINUS_ZERO, False, True),
        (MINUS_ZERO, ZERO, False, True),
        (MINUS_INF, INF, True, False),
        (0x8001, MINUS_ZERO, True, False),
        (0x8002, 0x8001, True, False),
        (ONE, TWO, True, False),
        (TWO, ONE, False, False),
        (INF, INF, False, True),
    ],
)
def test_comparisons(x: int, y: int, less: bool, equal: bool) -> None:
    assert floats.lt(HALF, x, y) is floats.gt(HALF, y, x) is less
    assert floats.eq(HALF, x, y) is equal
    assert floats.leq(HALF, x, y) is floats.geq(HALF, y, x) is (less or equal)


@pytest.mark.parametrize(
    ("x", "y", "smaller", "larger"),
    [
        (ZERO, MINUS_ZERO, None, None),
        (MINUS_ZERO, ZERO, None, None),
        (ZERO, ZERO, ZERO, ZERO),
        (MINUS_ZERO, MINUS_ZERO, MINUS_ZERO, MINUS_ZERO),
        (NAN, ONE, ONE, ONE),
        (ONE, NAN, ONE, ONE),
        (NAN, NAN, NAN, NAN),
        (NAN, MINUS_ZERO, MINUS_ZERO, MINUS_ZERO),
        (ONE, TWO, ONE, TWO),
        (MINUS_INF, INF, MINUS_INF, INF),
    ],
)
def test_min_and_max(x: int, y: int, smaller: int | None, larger: int | None) -> None:
    assert floats.min_(HALF, x, y) == smaller
    assert floats.max_(HALF, x, y) == larger


def test_sign_operations() -> None:
    assert floats.neg(HALF, NAN) == floats.abs_(HALF, NAN) == NAN
    assert floats.neg(HALF, ZERO) == MINUS_ZERO
    assert floats.abs_(HALF, MINUS_INF) == INF


@pytest.mark.parametrize("rm", list(RoundingMode))
def test_signs_of_exact_zeros(rm: RoundingMode) -> None:
    cancelled = MINUS_ZERO if rm is RTN else ZERO
    assert floats.add(HALF, rm, ONE, 0xBC00) == cancelled
    assert floats.sub(HALF, rm, ONE, ONE) == cancelled
    assert floats.add(HALF, rm, ZERO, MINUS_ZERO) == cancelled
    assert floats.add(HALF, rm, MINUS_ZERO, MINUS_ZERO) == MINUS_ZERO
    assert floats.add(HALF, rm, ZERO, ZERO) == ZERO
    assert floats.fma(HALF, rm, ONE, ONE, 0xBC00) == cancelled
    assert floats.fma(HALF, rm, MINUS_ZERO, ONE, MINUS_ZERO) == MINUS_ZERO
    assert floats.mul(HALF, rm, MINUS_ZERO, ONE) == MINUS_ZERO


@pytest.mark.parametrize(
    ("rm", "positive", "negative"),
    [
        (RNE, INF, MINUS_INF),
        (RNA, INF, MINUS_INF),
        (RTZ, LARGEST, 0xFBFF),
        (RTP, INF, 0xFBFF),
        (RTN, LARGEST, MINUS_INF),
    ],
)
def test_overflow(rm: RoundingMode, positive: int, negative: int) -> None:
    assert floats.add(HALF, rm, LARGEST, LARGEST) == positive
    assert floats.mul(HALF, rm, LARGEST, 0xFBFF) == negative


@pytest.mark.parametrize(
    ("rm", "result"),
    [(RNE, 0), (RNA, 1), (RTP, 1), (RTN, 0), (RTZ, 0)],
)
def test_ties_in_underflow(rm: RoundingMode, result: int) -> None:
    assert floats.div(HALF, rm, SMALLEST, TWO) == result


@pytest.mark.parametrize("rm", list(RoundingMode))
def test_invalid_operations_are_nan(rm: RoundingMode) -> None:
    assert floats.add(HALF, rm, INF, MINUS_INF) == NAN
    assert floats.sub(HALF, rm, INF, INF) == NAN
    assert floats.mul(HALF, rm, ZERO, MINUS_INF) == NAN
    assert floats.div(HALF, rm, ZERO, MINUS_ZERO) == NAN
    assert floats.div(HALF, rm, INF, INF) == NAN
    assert floats.fma(HALF, rm, ZERO, INF, NAN) == NAN
    assert floats.fma(HALF, rm, ZERO, INF, ONE) == NAN
    assert floats.fma(HALF, rm, ONE, INF, MINUS_INF) == NAN
    assert floats.sqrt(HALF, rm, 0xBC00) == floats.sqrt(HALF, rm, MINUS_INF) == NAN


@pytest.mark.parametrize("rm", list(RoundingMode))
def test_infinities_and_exact_results(rm: RoundingMode) -> None:
    assert floats.add(HALF, rm, INF, ONE) == INF
    assert floats.add(HALF, rm, ONE, MINUS_INF) == MINUS_INF
    assert floats.div(HALF, rm, ONE, MINUS_ZERO) == MINUS_INF
    assert floats.div(HALF, rm, 0xBC00, INF) == MINUS_ZERO
    assert floats.fma(HALF, rm, ONE, ONE, INF) == INF
    assert floats.fma(HALF, rm, ONE, ONE, ONE) == TWO
    assert floats.sqrt(HALF, rm, MINUS_ZERO) == MINUS_ZERO
    assert floats.sqrt(HALF, rm, ZERO) == ZERO
    assert floats.sqrt(HALF, rm, INF) == INF
    assert floats.sqrt(HALF, rm, 0x4400) == TWO


@pytest.mark.parametrize(
    ("x", "y", "result"),
    [
        (ONE, INF, ONE),
        (MINUS_ZERO, INF, MINUS_ZERO),
        (INF, ONE, NAN),
        (ONE, ZERO, NAN),
        (NAN, ONE, NAN),
        (TWO, ONE, ZERO),
        (0xC000, ONE, MINUS_ZERO),
        (THREE, TWO, 0xBC00),
        (0x4500, TWO, ONE),
        (ONE, TWO, ONE),
        (THREE, 0xC000, 0xBC00),
        (LARGEST, SMALLEST, ZERO),
        (SMALLEST, LARGEST, SMALLEST),
    ],
)
def test_remainder(x: int, y: int, result: int) -> None:
    assert floats.rem(HALF, x, y) == result


@pytest.mark.parametrize(
    ("x", "nearest_even", "nearest_away", "up", "down", "towards_zero"),
    [
        (0x3800, ZERO, ONE, ONE, ZERO, ZERO),  # 1/2
        (0x3E00, TWO, TWO, TWO, ONE, ONE),  # 3/2
        (0x4100, TWO, THREE, THREE, TWO, TWO),  # 5/2
        (0xB800, MINUS_ZERO, 0xBC00, MINUS_ZERO, 0xBC00, MINUS_ZERO),  # -1/2
        (0x8001, MINUS_ZERO, MINUS_ZERO, MINUS_ZERO, 0xBC00, MINUS_ZERO),
        (MINUS_ZERO, MINUS_ZERO, MINUS_ZERO, MINUS_ZERO, MINUS_ZERO, MINUS_ZERO),
        (NAN, NAN, NAN, NAN, NAN, NAN),
        (MINUS_INF, MINUS_INF, MINUS_INF, MINUS_INF, MINUS_INF, MINUS_INF),
        (LARGEST, LARGEST, LARGEST, LARGEST, LARGEST, LARGEST),
    ],
)
def test_round_to_integral(
    x: int, nearest_even: int, nearest_away: int, up: int, down: int, towards_zero: int
) -> None:
    results = [floats.round_to_integral(HALF, rm, x) for rm in (RNE, RNA, RTP, RTN, RTZ)]
    assert results == [nearest_even, nearest_away, up, down, towards_zero]


def test_an_integer_beyond_the_format_overflows() -> None:
    narrow = Format(2, 5)  # up to 3.875
    assert floats.round_to_integral(narrow, RNE, 0b0101111) == narrow.infinity
    assert floats.round_to_integral(narrow, RTZ, 0b0101111) == 0b0101000


def test_doubles_agree_with_the_machine() -> None:
    rng = Random(1)

    def machine(x: int) -> float:
        value: float = struct.unpack(">d", x.to_bytes(8, "big"))[0]
        return value

    def ours(value: float) -> int:
        if math.isnan(value):
            return DOUBLE.nan
        return int.from_bytes(struct.pack(">d", value), "big")

    for _ in range(3000):
        x, y = pattern(rng, DOUBLE), pattern(rng, DOUBLE)
        a, b = machine(x), machine(y)
        assert floats.add(DOUBLE, RNE, x, y) == ours(a + b)
        assert floats.sub(DOUBLE, RNE, x, y) == ours(a - b)
        assert floats.mul(DOUBLE, RNE, x, y) == ours(a * b)
        assert floats.lt(DOUBLE, x, y) is (a < b)
        if b:
            assert floats.div(DOUBLE, RNE, x, y) == ours(a / b)
        if a >= 0:
            assert floats.sqrt(DOUBLE, RNE, x) == ours(math.sqrt(a))
        if math.isfinite(a) and b:
            assert floats.rem(DOUBLE, x, y) == ours(math.remainder(a, b))


@pytest.mark.parametrize("fmt", [Format(30, 500), Format(60, 3), Format(2, 500), Format(500, 2)])
@pytest.mark.parametrize("rm", list(RoundingMode))
def test_enormous_formats_cost_nothing(fmt: Format, rm: RoundingMode) -> None:
    huge, small = fmt.infinity - 1, 1
    one = floats.triple(fmt, 0, (1 << (fmt.eb - 1)) - 1, 0)
    assert floats.mul(fmt, rm, huge, one) == floats.div(fmt, rm, huge, one) == huge
    assert floats.add(fmt, rm, huge, floats.neg(fmt, huge)) in (0, fmt.sign_bit)
    assert floats.rem(fmt, huge, small) == 0
    assert floats.rem(fmt, small, huge) == small
    if fmt.eb > 10:
        assert floats.add(fmt, rm, huge, small) == (huge + 1 if rm is RTP else huge)
        assert floats.sub(fmt, rm, huge, small) == (huge - 1 if rm in (RTN, RTZ) else huge)
        assert floats.fma(fmt, rm, one, one, small) == (one + 1 if rm is RTP else one)
        assert floats.round_to_integral(fmt, rm, small) == (one if rm is RTP else 0)
    root = floats.sqrt(fmt, rm, huge)
    assert floats.lt(fmt, root, huge) or fmt.eb == 2
