"""Conversions between FloatingPoint patterns and reals, integers, bit-vectors and other formats."""

from __future__ import annotations

from fractions import Fraction

from falsum.smtlib.values import bitvectors
from falsum.smtlib.values.algebraic import Algebraic
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.computable import PRECISIONS, UNDECIDED, Computable, Number, interval
from falsum.smtlib.values.floats import canonical, is_infinite, is_nan
from falsum.smtlib.values.reals import MAX_BITS
from falsum.smtlib.values.rounding import (
    Format,
    RoundingMode,
    Scaled,
    round_,
    round_scaled,
    round_to_integer,
    unpack,
)


def from_ieee_bv(fmt: Format, pattern: int) -> int:
    """`((_ to_fp eb sb) bits)`: the same bits, read as a float."""
    return canonical(fmt, pattern)


def to_ieee_bv(fmt: Format, x: int) -> int | None:
    """An extension of solvers; the pattern of NaN is open."""
    return None if is_nan(fmt, x) else x


def from_real(fmt: Format, rm: RoundingMode, value: Number) -> int | CannotSay:
    if isinstance(value, Computable):
        return _from_computable(fmt, rm, value)
    if isinstance(value, Algebraic):
        return _from_algebraic(fmt, rm, value)
    return round_(fmt, rm, value, negative_if_zero=False)


def from_int(fmt: Format, rm: RoundingMode, value: int) -> int:
    return round_scaled(fmt, rm, Scaled(value < 0, abs(value), 0))


def from_signed_bv(fmt: Format, rm: RoundingMode, w: int, x: int) -> int:
    return from_int(fmt, rm, bitvectors.signed(w, x))


def from_unsigned_bv(fmt: Format, rm: RoundingMode, w: int, x: int) -> int:  # noqa: ARG001
    return from_int(fmt, rm, x)


def from_float(fmt: Format, rm: RoundingMode, source: Format, x: int) -> int:
    """`((_ to_fp eb sb) rm x)` with `x` of format `source`."""
    if is_nan(source, x):
        return fmt.nan
    if is_infinite(source, x):
        return fmt.infinity | (fmt.sign_bit if x >= source.sign_bit else 0)
    return round_scaled(fmt, rm, unpack(source, x))


def to_real(fmt: Format, x: int) -> Fraction | CannotSay | None:
    """The value as a real; open for NaN and infinities."""
    if is_nan(fmt, x) or is_infinite(fmt, x):
        return None
    negative, mantissa, exponent = unpack(fmt, x)
    if mantissa == 0:
        return Fraction(0)
    if abs(exponent) > MAX_BITS:
        return CannotSay("real number too big")
    signed = -mantissa if negative else mantissa
    return Fraction(signed << exponent) if exponent >= 0 else Fraction(signed, 1 << -exponent)


def to_unsigned_bv(fmt: Format, rm: RoundingMode, w: int, x: int) -> int | None:
    """The rounded value as an unsigned bit-vector; open if it does not fit, and for NaN and infinities."""
    value = _to_integer(fmt, rm, w, x)
    return value if value is not None and 0 <= value < 1 << w else None


def to_signed_bv(fmt: Format, rm: RoundingMode, w: int, x: int) -> int | None:
    """The rounded value as a signed bit-vector; open if it does not fit, and for NaN and infinities."""
    value = _to_integer(fmt, rm, w, x)
    if value is None or not -(1 << (w - 1)) <= value < 1 << (w - 1):
        return None
    return bitvectors.from_int(w, value)


def _to_integer(fmt: Format, rm: RoundingMode, w: int, x: int) -> int | None:
    if is_nan(fmt, x) or is_infinite(fmt, x):
        return None
    value = unpack(fmt, x)
    # Does not fit in any rounding mode, and might exhaust the memory.
    if value.mantissa and value.exponent + value.mantissa.bit_length() > w + 1:
        return None
    return round_to_integer(rm, value)


def _from_algebraic(fmt: Format, rm: RoundingMode, value: Algebraic) -> int:
    # An irrational number is neither in the format nor a midpoint, so a narrow enough interval
    # around it lies within one rounding cell.
    bits = 64
    while True:
        low, high = value.interval(bits)
        rounded = round_(fmt, rm, low, negative_if_zero=False)
        if rounded == round_(fmt, rm, high, negative_if_zero=high <= 0):
            return rounded
        bits *= 2


def _from_computable(fmt: Format, rm: RoundingMode, value: Computable) -> int | CannotSay:
    for bits in PRECISIONS:
        ends = interval(value, bits)
        if ends is not None:
            low, high = (round_(fmt, rm, end, negative_if_zero=end < 0) for end in ends)
            if low == high:
                return low
    return UNDECIDED
