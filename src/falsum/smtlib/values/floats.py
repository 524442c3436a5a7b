"""Floating-point operations on bit patterns: computed exactly, then rounded once."""

from __future__ import annotations

from math import isqrt

from falsum.smtlib.values.rounding import (
    Format,
    RoundingMode,
    Scaled,
    quotient,
    round_scaled,
    round_to_integer,
    unpack,
)


def plus_infinity(fmt: Format) -> int:
    return fmt.infinity


def minus_infinity(fmt: Format) -> int:
    return fmt.sign_bit | fmt.infinity


def plus_zero(fmt: Format) -> int:  # noqa: ARG001  (every constant takes its format)
    return 0


def minus_zero(fmt: Format) -> int:
    return fmt.sign_bit


def nan(fmt: Format) -> int:
    return fmt.nan


def triple(fmt: Format, sign: int, exponent: int, significand: int) -> int:
    """`(fp sign exponent significand)`; every NaN pattern becomes the one NaN."""
    return canonical(fmt, (sign << fmt.eb | exponent) << (fmt.sb - 1) | significand)


def canonical(fmt: Format, pattern: int) -> int:
    return fmt.nan if is_nan(fmt, pattern) else pattern


def is_nan(fmt: Format, x: int) -> bool:
    return x & (fmt.sign_bit - 1) > fmt.infinity


def is_infinite(fmt: Format, x: int) -> bool:
    return x & (fmt.sign_bit - 1) == fmt.infinity


def is_zero(fmt: Format, x: int) -> bool:
    return x in (0, fmt.sign_bit)


def is_normal(fmt: Format, x: int) -> bool:
    return 1 << (fmt.sb - 1) <= x & (fmt.sign_bit - 1) < fmt.infinity


def is_subnormal(fmt: Format, x: int) -> bool:
    return 0 < x & (fmt.sign_bit - 1) < 1 << (fmt.sb - 1)


def is_negative(fmt: Format, x: int) -> bool:
    return x >= fmt.sign_bit and not is_nan(fmt, x)


def is_positive(fmt: Format, x: int) -> bool:
    return x < fmt.sign_bit and not is_nan(fmt, x)


def abs_(fmt: Format, x: int) -> int:
    return x & (fmt.sign_bit - 1)


def neg(fmt: Format, x: int) -> int:
    return x if is_nan(fmt, x) else x ^ fmt.sign_bit


def add(fmt: Format, rm: RoundingMode, x: int, y: int) -> int:
    if is_nan(fmt, x) or is_nan(fmt, y):
        return fmt.nan
    if is_infinite(fmt, x):
        return fmt.nan if y == x ^ fmt.sign_bit else x
    if is_infinite(fmt, y):
        return y
    return round_scaled(fmt, rm, _sum(fmt, rm, unpack(fmt, x), unpack(fmt, y)))


def sub(fmt: Format, rm: RoundingMode, x: int, y: int) -> int:
    return add(fmt, rm, x, neg(fmt, y))


def mul(fmt: Format, rm: RoundingMode, x: int, y: int) -> int:
    if is_nan(fmt, x) or is_nan(fmt, y):
        return fmt.nan
    sign = (x ^ y) & fmt.sign_bit
    if is_infinite(fmt, x) or is_infinite(fmt, y):
        return fmt.nan if is_zero(fmt, x) or is_zero(fmt, y) else sign | fmt.infinity
    return round_scaled(fmt, rm, _product(unpack(fmt, x), unpack(fmt, y)))


def div(fmt: Format, rm: RoundingMode, x: int, y: int) -> int:
    if is_nan(fmt, x) or is_nan(fmt, y):
        return fmt.nan
    sign = (x ^ y) & fmt.sign_bit
    if is_infinite(fmt, x):
        return fmt.nan if is_infinite(fmt, y) else sign | fmt.infinity
    if is_zero(fmt, y):
        return fmt.nan if is_zero(fmt, x) else sign | fmt.infinity
    if is_infinite(fmt, y) or is_zero(fmt, x):
        return sign
    a, b = unpack(fmt, x), unpack(fmt, y)
    ratio = quotient(a.mantissa, b.mantissa, fmt.sb + 2)
    exponent = ratio.exponent + a.exponent - b.exponent
    return round_scaled(fmt, rm, Scaled(sign != 0, ratio.mantissa, exponent))


def fma(fmt: Format, rm: RoundingMode, x: int, y: int, z: int) -> int:
    """`x * y + z`, rounded once."""
    if is_nan(fmt, x) or is_nan(fmt, y) or is_nan(fmt, z):
        return fmt.nan
    if is_infinite(fmt, x) or is_infinite(fmt, y):
        # The rounding mode does not matter: nothing here is rounded.
        return add(fmt, rm, mul(fmt, rm, x, y), z)
    if is_infinite(fmt, z):
        return z
    product = _product(unpack(fmt, x), unpack(fmt, y))
    return round_scaled(fmt, rm, _sum(fmt, rm, product, unpack(fmt, z)))


def sqrt(fmt: Format, rm: RoundingMode, x: int) -> int:
    if is_nan(fmt, x) or is_zero(fmt, x):
        return x
    if x >= fmt.sign_bit:
        return fmt.nan
    if is_infinite(fmt, x):
        return x
    _, mantissa, exponent = unpack(fmt, x)
    # Twice the precision plus a few bits, and an even exponent, make the root precise enough.
    shift = 2 * fmt.sb + 4 + (exponent & 1)
    mantissa <<= shift
    root = isqrt(mantissa)
    sticky = root * root != mantissa
    return round_scaled(fmt, rm, Scaled(False, root << 1 | sticky, (exponent - shift) // 2 - 1))


def rem(fmt: Format, x: int, y: int) -> int:
    """IEEE remainder: `x - y*n` with `n` the integer nearest to `x/y`, ties to even."""
    if is_nan(fmt, x) or is_nan(fmt, y) or is_infinite(fmt, x) or is_zero(fmt, y):
        return fmt.nan
    if is_infinite(fmt, y) or is_zero(fmt, x):
        return x
    a, b = unpack(fmt, x), unpack(fmt, y)
    if a.exponent >= b.exponent:
        # Modulo twice the divisor keeps the parity of the quotient; 2^gap is never written out.
        double = 2 * b.mantissa
        dividend = a.mantissa * pow(2, a.exponent - b.exponent, double) % double
        divisor, exponent = b.mantissa, b.exponent
    else:
        if a.exponent + a.mantissa.bit_length() < b.exponent + b.mantissa.bit_length() - 1:
            return x
        dividend = a.mantissa
        divisor, exponent = b.mantissa << (b.exponent - a.exponent), a.exponent
    whole, rest = divmod(dividend, divisor)
    if 2 * rest > divisor or (2 * rest == divisor and whole & 1):
        rest -= divisor
    result = Scaled(a.negative != (rest < 0), abs(rest), exponent)
    return round_scaled(fmt, RoundingMode.RNE, result)


def round_to_integral(fmt: Format, rm: RoundingMode, x: int) -> int:
    """Keeps the sign of zero; an integer beyond the format overflows."""
    if is_nan(fmt, x) or is_infinite(fmt, x):
        return x
    value = unpack(fmt, x)
    if value.exponent >= 0:
        return x
    whole = abs(round_to_integer(rm, value))
    return round_scaled(fmt, rm, Scaled(value.negative, whole, 0))


def min_(fmt: Format, x: int, y: int) -> int | None:
    """The smaller of two floats; open for zeros of opposite sign, of which the result may be either."""
    return _choose(fmt, x, y, lt(fmt, x, y))


def max_(fmt: Format, x: int, y: int) -> int | None:
    """The larger of two floats; open for zeros of opposite sign, of which the result may be either."""
    return _choose(fmt, x, y, gt(fmt, x, y))


def leq(fmt: Format, x: int, y: int) -> bool:
    return not is_nan(fmt, x) and not is_nan(fmt, y) and _order(fmt, x) <= _order(fmt, y)


def lt(fmt: Format, x: int, y: int) -> bool:
    return not is_nan(fmt, x) and not is_nan(fmt, y) and _order(fmt, x) < _order(fmt, y)


def geq(fmt: Format, x: int, y: int) -> bool:
    return leq(fmt, y, x)


def gt(fmt: Format, x: int, y: int) -> bool:
    return lt(fmt, y, x)


def eq(fmt: Format, x: int, y: int) -> bool:
    return not is_nan(fmt, x) and not is_nan(fmt, y) and _order(fmt, x) == _order(fmt, y)


def _order(fmt: Format, x: int) -> int:
    """Patterns without their sign are ordered like their values."""
    return -(x ^ fmt.sign_bit) if x >= fmt.sign_bit else x


def _choose(fmt: Format, x: int, y: int, first: bool) -> int | None:
    if is_nan(fmt, x):
        return y
    if is_nan(fmt, y):
        return x
    if x != y and is_zero(fmt, x) and is_zero(fmt, y):
        return None
    return x if first else y


def _product(a: Scaled, b: Scaled) -> Scaled:
    return Scaled(a.negative != b.negative, a.mantissa * b.mantissa, a.exponent + b.exponent)


def _sum(fmt: Format, rm: RoundingMode, a: Scaled, b: Scaled) -> Scaled:
    """The exact sum, or a number that rounds to the same result."""
    if a.mantissa == 0 and b.mantissa == 0:
        if a.negative == b.negative:
            return a
        return Scaled(rm is RoundingMode.RTN, 0, 0)
    if a.mantissa == 0:
        return b
    if b.mantissa == 0:
        return a
    if a.exponent < b.exponent:
        a, b = b, a
    # An operand far below the last place of the other only decides on which side of it the sum lies.
    below = a.exponent - fmt.sb - 3
    if b.exponent + b.mantissa.bit_length() <= below:
        b = Scaled(b.negative, 1, below)
    left = a.mantissa << (a.exponent - b.exponent)
    total = (-left if a.negative else left) + (-b.mantissa if b.negative else b.mantissa)
    if total == 0:
        return Scaled(rm is RoundingMode.RTN, 0, 0)
    return Scaled(total < 0, abs(total), b.exponent)
