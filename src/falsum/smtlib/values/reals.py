"""Real arithmetic on exact rationals, irrational algebraic numbers and computable numbers."""

from __future__ import annotations

from fractions import Fraction

from falsum.smtlib.values import algebraic, computable
from falsum.smtlib.values.algebraic import Algebraic
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.computable import Computable, Number

# Fractions are kept in lowest terms, which takes quadratic time.
MAX_BITS = 1 << 17

_TOO_BIG = CannotSay("real number too big")
# Integers are compared here as well.
_RATIONAL = frozenset((int, Fraction))


def add(x: Number, y: Number) -> Number | CannotSay:
    if x.__class__ is Fraction and y.__class__ is Fraction:
        return _TOO_BIG if _size(x) + _size(y) > MAX_BITS else x + y
    if isinstance(x, Computable) or isinstance(y, Computable):
        return computable.add(x, y)
    if isinstance(x, Algebraic):
        return algebraic.add(x, y) if isinstance(y, Algebraic) else algebraic.shift(x, y)
    assert isinstance(y, Algebraic)
    return algebraic.shift(y, x)


def sub(x: Number, y: Number) -> Number | CannotSay:
    negated = neg(y)
    return negated if isinstance(negated, CannotSay) else add(x, negated)


def neg(x: Number) -> Number | CannotSay:
    if isinstance(x, Fraction):
        return -x
    return algebraic.negate(x) if isinstance(x, Algebraic) else computable.neg(x)


def mul(x: Number, y: Number) -> Number | CannotSay:
    if x.__class__ is Fraction and y.__class__ is Fraction:
        return _TOO_BIG if _size(x) + _size(y) > MAX_BITS else x * y
    if isinstance(x, Computable) or isinstance(y, Computable):
        return computable.mul(x, y)
    if isinstance(x, Algebraic):
        if isinstance(y, Algebraic):
            return algebraic.multiply(x, y)
        return algebraic.scale(x, y) if y else Fraction(0)
    assert isinstance(y, Algebraic)
    return algebraic.scale(y, x) if x else Fraction(0)


def div(x: Number, y: Number) -> Number | CannotSay | None:
    """The quotient; open for division by zero."""
    if isinstance(y, Fraction):
        return mul(x, 1 / y) if y else None
    if x == y:
        return Fraction(1)
    if isinstance(x, Computable) or isinstance(y, Computable):
        return computable.div(x, y)
    inverse = algebraic.invert(y)
    return inverse if isinstance(inverse, CannotSay) else mul(x, inverse)


def power(x: Number, n: int) -> Number | CannotSay | None:
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
    if isinstance(x, Computable):
        return computable.power(x, n)
    if isinstance(x, Algebraic):
        return x if n == 1 else algebraic.power(x, n)
    if abs(x) == 1:
        return x if n % 2 else Fraction(1)
    return _TOO_BIG if n > MAX_BITS or n * _size(x) > MAX_BITS else Fraction(x**n)


def compare(x: Number, y: Number) -> int | CannotSay:
    """-1, 0 or 1; CannotSay if computable numbers may be equal."""
    if isinstance(x, Computable) or isinstance(y, Computable):
        return computable.compare(x, y)
    if isinstance(x, Algebraic) or isinstance(y, Algebraic):
        return algebraic.compare(x, y)
    return (x > y) - (x < y)


def sign(x: Number) -> int | CannotSay:
    return compare(x, Fraction(0))


def equal(x: Number, y: Number) -> bool | CannotSay:
    order = compare(x, y) if isinstance(x, Computable) or isinstance(y, Computable) else None
    if order is None:
        return x == y
    return order if isinstance(order, CannotSay) else order == 0


def lt(x: Number, y: Number) -> bool | CannotSay:
    if x.__class__ in _RATIONAL and y.__class__ in _RATIONAL:
        # Python's comparison of fractions takes several times as long.
        return x.numerator * y.denominator < y.numerator * x.denominator  # type: ignore[union-attr]
    order = compare(x, y)
    return order if isinstance(order, CannotSay) else order < 0


def leq(x: Number, y: Number) -> bool | CannotSay:
    if x.__class__ in _RATIONAL and y.__class__ in _RATIONAL:
        return x.numerator * y.denominator <= y.numerator * x.denominator  # type: ignore[union-attr]
    order = compare(x, y)
    return order if isinstance(order, CannotSay) else order <= 0


def gt(x: Number, y: Number) -> bool | CannotSay:
    return lt(y, x)


def geq(x: Number, y: Number) -> bool | CannotSay:
    return leq(y, x)


def abs_(x: Number) -> Number | CannotSay:
    result = sign(x)
    if isinstance(result, CannotSay):
        return result
    return neg(x) if result < 0 else x


def to_int(x: Number) -> int | CannotSay:
    """The largest integer that is not above the number."""
    if isinstance(x, Fraction):
        return x.__floor__()
    return algebraic.floor(x) if isinstance(x, Algebraic) else computable.floor(x)


def is_int(x: Number) -> bool | CannotSay:
    if isinstance(x, Computable):
        return computable.is_int(x)
    return isinstance(x, Fraction) and x.denominator == 1


def to_real(x: int) -> Fraction:
    return Fraction(x)


def _size(x: Fraction) -> int:
    return x.numerator.bit_length() + x.denominator.bit_length()
