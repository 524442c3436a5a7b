"""Corners of the conversions to and from floating-point numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from falsum.smtlib.values import float_conversions as conversions
from falsum.smtlib.values.algebraic import Algebraic, negate
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.rounding import Format, RoundingMode

RNE, RNA, RTP, RTN, RTZ = RoundingMode
HALF, SINGLE, DOUBLE = Format(5, 11), Format(8, 24), Format(11, 53)
NAN, INF, MINUS_INF, MINUS_ZERO = 0x7E00, 0x7C00, 0xFC00, 0x8000
SQRT2 = Algebraic((-2, 0, 1), 2)


@pytest.mark.parametrize(
    ("value", "results"),
    [
        (Fraction(0), (0, 0, 0, 0, 0)),
        (Fraction(1), (0x3C00,) * 5),
        (Fraction(1, 3), (0x3555, 0x3555, 0x3556, 0x3555, 0x3555)),
        (Fraction(-1, 3), (0xB555, 0xB555, 0xB555, 0xB556, 0xB555)),
        (Fraction(2049), (0x6800, 0x6801, 0x6801, 0x6800, 0x6800)),
        (Fraction(2051), (0x6802, 0x6802, 0x6802, 0x6801, 0x6801)),
        (Fraction(65519), (0x7BFF, 0x7BFF, INF, 0x7BFF, 0x7BFF)),
        (Fraction(65520), (INF, INF, INF, 0x7BFF, 0x7BFF)),
        (Fraction(1, 2**25), (0, 1, 1, 0, 0)),
        (Fraction(-1, 2**26), (MINUS_ZERO, MINUS_ZERO, MINUS_ZERO, 0x8001, MINUS_ZERO)),
        (Fraction(-(10**100)), (MINUS_INF, MINUS_INF, 0xFBFF, MINUS_INF, 0xFBFF)),
        (SQRT2, (0x3DA8, 0x3DA8, 0x3DA9, 0x3DA8, 0x3DA8)),
        (negate(SQRT2), (0xBDA8, 0xBDA8, 0xBDA8, 0xBDA9, 0xBDA8)),
    ],
)
def test_from_real(value: Fraction, results: tuple[int, ...]) -> None:
    rounded = tuple(conversions.from_real(HALF, rm, value) for rm in (RNE, RNA, RTP, RTN, RTZ))
    assert rounded == results


def test_from_irrational_to_many_bits() -> None:
    wide = Format(30, 500)
    down, up = (conversions.from_real(wide, rm, SQRT2) for rm in (RTN, RTP))
    assert isinstance(down, int)
    assert up == down + 1
    low = conversions.to_real(wide, down)
    assert isinstance(low, Fraction)
    assert low * low < 2
    tiny = Algebraic((-2, 0, 10**60), 2)
    assert conversions.from_real(HALF, RTP, tiny) == 1
    assert conversions.from_real(HALF, RTN, tiny) == 0
    assert conversions.from_real(HALF, RTP, negate(tiny)) == MINUS_ZERO
    assert conversions.from_real(HALF, RTN, negate(tiny)) == 0x8001


def test_from_bit_vectors() -> None:
    assert conversions.from_signed_bv(HALF, RNE, 3, 0b111) == 0xBC00
    assert conversions.from_unsigned_bv(HALF, RNE, 3, 0b111) == 0x4700
    assert conversions.from_signed_bv(HALF, RTN, 3, 0) == 0
    assert conversions.from_signed_bv(HALF, RNE, 17, 1 << 16) == MINUS_INF
    assert conversions.from_unsigned_bv(HALF, RTZ, 17, 1 << 16) == 0x7BFF
    assert conversions.from_signed_bv(HALF, RNE, 1, 1) == 0xBC00


def test_between_formats() -> None:
    assert conversions.from_float(SINGLE, RNE, HALF, NAN) == SINGLE.nan
    assert conversions.from_float(SINGLE, RNE, HALF, MINUS_INF) == 0xFF800000
    assert conversions.from_float(SINGLE, RTP, HALF, MINUS_ZERO) == 0x80000000
    assert conversions.from_float(SINGLE, RNE, HALF, 0x0001) == 0x33800000
    assert conversions.from_float(HALF, RNE, SINGLE, 0x7F7FFFFF) == INF
    assert conversions.from_float(HALF, RTZ, SINGLE, 0x7F7FFFFF) == 0x7BFF
    assert conversions.from_float(HALF, RNE, SINGLE, 0x80000001) == MINUS_ZERO
    assert conversions.from_float(HALF, RTN, SINGLE, 0x80000001) == 0x8001
    assert conversions.from_float(Format(2, 2), RTP, Format(30, 500), 1) == 1


def test_bits_are_reinterpreted() -> None:
    assert conversions.from_ieee_bv(HALF, 0x3C00) == 0x3C00
    assert conversions.from_ieee_bv(HALF, 0xFC01) == NAN
    assert conversions.from_ieee_bv(HALF, 0x7FFF) == NAN
    assert conversions.from_ieee_bv(HALF, 0xFC00) == MINUS_INF
    assert conversions.to_ieee_bv(HALF, MINUS_INF) == 0xFC00
    assert conversions.to_ieee_bv(HALF, NAN) is None


def test_to_real() -> None:
    assert conversions.to_real(HALF, MINUS_ZERO) == 0
    assert conversions.to_real(HALF, 0x0001) == Fraction(1, 2**24)
    assert conversions.to_real(HALF, 0xC200) == -3
    for special in (NAN, INF, MINUS_INF):
        assert conversions.to_real(HALF, special) is None
    assert isinstance(conversions.to_real(Format(30, 5), 1), CannotSay)
    assert conversions.to_real(Format(30, 5), 0) == 0


@pytest.mark.parametrize(
    ("rm", "x", "unsigned", "signed"),
    [
        (RNE, 0x0000, 0, 0),
        (RNE, MINUS_ZERO, 0, 0),
        (RNE, 0xB800, 0, 0),  # -1/2 rounds to 0
        (RTN, 0xB800, None, 0b1111),
        (RNA, 0xB800, None, 0b1111),
        (RTZ, 0xBBFF, 0, 0),  # -0.9995
        (RNE, 0xBC00, None, 0b1111),
        (RNE, 0x4B80, 15, None),  # 15
        (RNE, 0x4BC0, None, None),  # 15.5
        (RTZ, 0x4BC0, 15, None),
        (RNE, 0x4700, 7, 7),
        (RNE, 0x4780, 8, None),  # 7.5
        (RTN, 0x4780, 7, 7),
        (RNE, 0xC800, None, 0b1000),  # -8
        (RNE, 0xC840, None, 0b1000),  # -8.5
        (RTN, 0xC840, None, None),
        (RTP, 0xC840, None, 0b1000),
        (RNE, NAN, None, None),
        (RNE, INF, None, None),
        (RNE, MINUS_INF, None, None),
        (RTP, 0x0001, 1, 1),
    ],
)
def test_to_four_bits(rm: RoundingMode, x: int, unsigned: int | None, signed: int | None) -> None:
    assert conversions.to_unsigned_bv(HALF, rm, 4, x) == unsigned
    assert conversions.to_signed_bv(HALF, rm, 4, x) == signed


def test_enormous_exponents_are_out_of_range() -> None:
    fmt = Format(40, 5)
    assert conversions.to_unsigned_bv(fmt, RNE, 64, fmt.infinity - 1) is None
    assert conversions.to_signed_bv(fmt, RTZ, 64, 1) == 0
