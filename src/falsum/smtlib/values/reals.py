"""Real arithmetic on exact rationals and irrational algebraic numbers."""

from __future__ import annotations

from fractions import Fraction

from falsum.smtlib.values import algebraic
from falsum.smtlib.values.algebraic import Algebraic, Real
from falsum.smtlib.values.cannot_say import CannotSay

# Fractions are kept in lowest terms, which takes quadratic time.
MAX_BITS = 1 << 17

_TOO_BIG = CannotSay("real number too big")


def add(x: Real, y: Real) -> Real | CannotSay:
    if isinstance(x, Algebraic):
        return algebraic.add(x, y) if isinstance(y, Algebraic) else algebraic.shift(x, y)
    if isinstance(y, Algebraic):
        return algebraic.shift(y, x)
    return _TOO_BIG if _size(x) + _size(y) > MAX_BITS else x + y


def sub(x: Real, y: Real) -> Real | CannotSay:
    return add(x, neg(y))


def neg(x: Real) -> Real:
    return algebraic.negate(x) if isinstance(x, Algebraic) else -x


def mul(x: Real, y: Real) -> Real | CannotSay:
    if isinstance(x, Algebraic):
        if isinstance(y, Algebraic):
            return algebraic.multiply(x, y)
        return algebraic.scale(x, y) if y else Fraction(0)
    if isinstance(y, Algebraic):
        return algebraic.scale(y, x) if x else Fraction(0)
    return _TOO_BIG if _size(x) + _size(y) > MAX_BITS else x * y


def div(x: Real, y: Real) -> Real | CannotSay | None:
    """Open for division by zero."""
    if isinstance(y, Fraction):
        return mul(x, 1 / y) if y else None
    if x == y:
        return Fraction(1)
    inverse = algebraic.invert(y)
    return inverse if isinstance(inverse, CannotSay) else mul(x, inverse)


def power(x: Real, n: int) -> Real | CannotSay | None:
    """z3's `^` with an integer exponent; open for zero with an exponent of at most zero."""
    if x == 0:
        return Fraction(0) if n > 0 else None
    if n == 0:
        return Fraction(1)
    if n < 0:
        positive = power(x, -n)
        if positive is None or isinstance(positive, CannotSay):
            return positive
        return div(Fraction(1), positive)
    if isinstance(x, Algebraic):
        return x if n == 1 else algebraic.power(x, n)
    if abs(x) == 1:
        return x if n % 2 else Fraction(1)
    return _TOO_BIG if n > MAX_BITS or n * _size(x) > MAX_BITS else Fraction(x**n)


def compare(x: Real, y: Real) -> int:
    """-1, 0 or 1."""
    if isinstance(x, Algebraic) or isinstance(y, Algebraic):
        return algebraic.compare(x, y)
    return (x > y) - (x < y)


def sign(x: Real) -> int:
    return compare(x, Fraction(0))


def lt(x: Real, y: Real) -> bool:
    return compare(x, y) < 0


def leq(x: Real, y: Real) -> bool:
    return compare(x, y) <= 0


def gt(x: Real, y: Real) -> bool:
    return compare(x, y) > 0


def geq(x: Real, y: Real) -> bool:
    return compare(x, y) >= 0


def abs_(x: Real) -> Real:
    return neg(x) if sign(x) < 0 else x


def to_int(x: Real) -> int:
    """The floor."""
    return algebraic.floor(x) if isinstance(x, Algebraic) else x.__floor__()


def is_int(x: Real) -> bool:
    return isinstance(x, Fraction) and x.denominator == 1


def to_real(x: int) -> Fraction:
    return Fraction(x)


def _size(x: Fraction) -> int:
    return x.numerator.bit_length() + x.denominator.bit_length()
