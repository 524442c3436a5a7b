"""Real numbers with approximations of any precision: transcendental functions and expressions of them.

A number is an expression, evaluated with ball arithmetic as precisely as needed. Enough precision tells
different numbers apart; equality is known only for equal expressions. Multiples of pi are kept as such, so
that the sine of one is an exact algebraic number.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from flint import arb, ctx, fmpq, fmpz_poly

from falsum.smtlib.values import algebraic
from falsum.smtlib.values.algebraic import Algebraic
from falsum.smtlib.values.cannot_say import CannotSay

PRECISIONS: Final = (64, 256, 1024, 4096)
# Larger expressions are not kept.
_MOST_PARTS: Final = 256
# The largest denominator of a multiple of pi whose sine is computed as an algebraic number.
_MOST_TURNS: Final = 60
_TOO_LARGE: Final = CannotSay("a real number given by too large an expression")
UNDECIDED: Final = CannotSay("two real numbers that may be equal")


class Computable:
    """An operator applied to exact or computable numbers; equal expressions are equal objects."""

    __slots__ = ("_hash", "args", "operator", "parts")
    parts: int

    def __init__(self, operator: str, *args: Number) -> None:
        self.operator = operator
        self.args = args
        self.parts = 1 + sum(arg.parts if isinstance(arg, Computable) else 1 for arg in args)
        self._hash = hash((operator, args))

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Computable)
            and self._hash == other._hash
            and self.operator == other.operator
            and self.args == other.args
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"({' '.join([self.operator, *map(str, self.args)])})"


Number = Fraction | Algebraic | Computable


def multiple_of_pi(factor: Fraction) -> Number:
    return Computable("pi", factor) if factor else Fraction(0)


PI: Final = multiple_of_pi(Fraction(1))
E: Final = Computable("exp", Fraction(1))


# -- approximation -----------------------------------------------------------------------------------

_APPLY: Final[dict[str, Callable[..., Any]]] = {
    "+": lambda x, y: x + y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "pi": lambda factor: arb.pi() * factor,
    "sqrt": arb.sqrt,
    "exp": arb.exp,
    "sin": arb.sin,
    "cos": arb.cos,
    "asin": arb.asin,
    "acos": arb.acos,
    "atan": arb.atan,
}


def ball(x: Number, bits: int) -> Any:
    """An interval around a number, computed with this precision."""
    with ctx.workprec(bits):
        return _ball(x, bits)


def _ball(x: Number, bits: int) -> Any:
    """Recursive, but expressions are small."""
    if isinstance(x, Fraction):
        return arb(fmpq(x.numerator, x.denominator))
    if isinstance(x, Algebraic):
        low, high = (arb(fmpq(end.numerator, end.denominator)) for end in x.interval(bits))
        return low.union(high)
    return _APPLY[x.operator](*[_ball(arg, bits) for arg in x.args])


# The longest numerator or denominator of an interval, in bits.
_LONGEST: Final = 100_000


def interval(x: Computable, bits: int) -> tuple[Fraction, Fraction] | None:
    """Rationals around the number; None if this precision gives no interval, or if they are too long."""
    enclosure = ball(x, bits)
    if not enclosure.is_finite():
        return None
    ends = (enclosure.lower(), enclosure.upper())
    if any(abs(int(end.man_exp()[1])) > _LONGEST for end in ends):
        return None  # written as fractions, such numbers fill the memory
    low, high = (end.fmpq() for end in ends)
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))


def sign(x: Number) -> int | CannotSay:
    """-1, 0 or 1; CannotSay if the number may be zero."""
    for bits in PRECISIONS:
        enclosure = ball(x, bits)
        if enclosure > 0:
            return 1
        if enclosure < 0:
            return -1
    return UNDECIDED


def compare(x: Number, y: Number) -> int | CannotSay:
    if x == y:
        return 0
    for bits in PRECISIONS:
        first, second = ball(x, bits), ball(y, bits)
        if first > second:
            return 1
        if first < second:
            return -1
    return UNDECIDED


def floor(x: Number) -> int | CannotSay:
    for bits in PRECISIONS:
        with ctx.workprec(bits):
            integer = _ball(x, bits).floor().unique_fmpz()
        if integer is not None:
            return int(integer)
    return UNDECIDED


def is_int(x: Number) -> bool | CannotSay:
    """Whether the number is an integer: false, or unknown, because only approximations are available."""
    for bits in PRECISIONS:
        if not ball(x, bits).contains_integer():
            return False
    return UNDECIDED


# -- arithmetic --------------------------------------------------------------------------------------


def _made(operator: str, *args: Number) -> Number | CannotSay:
    number = Computable(operator, *args)
    return _TOO_LARGE if number.parts > _MOST_PARTS else number


def _factor_of_pi(x: Number) -> Fraction | None:
    if isinstance(x, Fraction):
        return Fraction(0) if x == 0 else None
    factor = x.args[0] if isinstance(x, Computable) and x.operator == "pi" else None
    return factor if isinstance(factor, Fraction) else None


def add(x: Number, y: Number) -> Number | CannotSay:
    first, second = _factor_of_pi(x), _factor_of_pi(y)
    if first is not None and second is not None:
        return multiple_of_pi(first + second)
    for one, other in ((x, y), (y, x)):
        if one == Fraction(0):
            return other
    if neg(y) == x:
        return Fraction(0)
    return _made("+", *sorted((x, y), key=repr))


def neg(x: Number) -> Number | CannotSay:
    return mul(Fraction(-1), x)


def mul(x: Number, y: Number) -> Number | CannotSay:
    for one, other in ((x, y), (y, x)):
        if isinstance(one, Fraction):
            factor = _factor_of_pi(other)
            if one == 0:
                return Fraction(0)
            if one == 1:
                return other
            if factor is not None:
                return multiple_of_pi(one * factor)
            if isinstance(other, Computable) and other.operator == "*":
                first, second = other.args
                if isinstance(first, Fraction):
                    return mul(one * first, second)
            return _made("*", one, other)
    return _made("*", *sorted((x, y), key=repr))


def div(x: Number, y: Number) -> Number | CannotSay | None:
    """The quotient; open for division by zero."""
    if isinstance(y, Fraction):
        return mul(x, 1 / y) if y else None
    if x == y:
        return Fraction(1)
    first, second = _factor_of_pi(x), _factor_of_pi(y)
    if first is not None and second is not None:
        return first / second
    result = sign(y)
    return result if isinstance(result, CannotSay) else _made("/", x, y)


def power(x: Number, n: int) -> Number | CannotSay:
    """`x^n` with n at least 1."""
    result: Number | CannotSay = x
    if n > _MOST_PARTS:
        return _TOO_LARGE
    for _ in range(n - 1):
        assert not isinstance(result, CannotSay)
        result = mul(result, x)
        if isinstance(result, CannotSay):
            break
    return result


# -- functions ---------------------------------------------------------------------------------------


def sqrt(x: Number) -> Number | CannotSay | None:
    """The square root; open for negative numbers."""
    if isinstance(x, Computable):
        result = sign(x)
        if isinstance(result, CannotSay):
            return result
        return _made("sqrt", x) if result > 0 else None
    if algebraic.compare(x, Fraction(0)) < 0:
        return None
    return algebraic.square_root(x)


def exp(x: Number) -> Number | CannotSay:
    return Fraction(1) if x == 0 else _made("exp", x)


def sin(x: Number) -> Number | CannotSay:
    factor = _factor_of_pi(x)
    return _made("sin", x) if factor is None else _cosine(factor - Fraction(1, 2), "sin")


def cos(x: Number) -> Number | CannotSay:
    factor = _factor_of_pi(x)
    return _made("cos", x) if factor is None else _cosine(factor, "cos")


@lru_cache(maxsize=256)
def _cosine(factor: Fraction, name: str) -> Number | CannotSay:
    """The cosine of a multiple of pi, as an algebraic number: twice it is a root of a known polynomial."""
    turns = factor / 2
    turns -= turns.__floor__()
    if turns.denominator > _MOST_TURNS:
        shifted = factor + Fraction(1, 2) if name == "sin" else factor
        return _made(name, multiple_of_pi(shifted))
    polynomial = [int(c) for c in fmpz_poly.cos_minpoly(turns.denominator).coeffs()]
    with ctx.workprec(256):
        target = 2 * arb.cos_pi_fmpq(fmpq(factor.numerator, factor.denominator))
        low, high = (Fraction(int(e.p), int(e.q)) for e in (target.lower().fmpq(), target.upper().fmpq()))
    root = algebraic.root_between(polynomial, low - _NEAR, high + _NEAR)
    if isinstance(root, CannotSay):
        return root
    return root / 2 if isinstance(root, Fraction) else algebraic.scale(root, Fraction(1, 2))


_NEAR: Final = Fraction(1, 1 << 64)


def tan(x: Number) -> Number | CannotSay | None:
    return _quotient(sin(x), cos(x))


def _quotient(x: Number | CannotSay, y: Number | CannotSay) -> Number | CannotSay | None:
    """The quotient; open where the divisor is zero."""
    for side in (x, y):
        if isinstance(side, CannotSay):
            return side
    if isinstance(x, Computable) or isinstance(y, Computable):
        return div(x, y)  # type: ignore[arg-type]  # both are numbers
    if y == 0:
        return None
    inverse = 1 / y if isinstance(y, Fraction) else algebraic.invert(y)  # type: ignore[arg-type]
    return inverse if isinstance(inverse, CannotSay) else _product(x, inverse)  # type: ignore[arg-type]


def _product(x: Fraction | Algebraic, y: Fraction | Algebraic) -> Number | CannotSay:
    if isinstance(x, Algebraic) and isinstance(y, Algebraic):
        return algebraic.multiply(x, y)
    if isinstance(x, Fraction) and isinstance(y, Fraction):
        return x * y
    one, other = (x, y) if isinstance(x, Algebraic) else (y, x)
    assert isinstance(one, Algebraic)
    assert isinstance(other, Fraction)
    return algebraic.scale(one, other) if other else Fraction(0)


def reciprocal(x: Number | CannotSay) -> Number | CannotSay | None:
    return _quotient(Fraction(1), x)


def arcsin(x: Number) -> Number | CannotSay | None:
    """The arc sine, between -pi/2 and pi/2; open outside -1 to 1."""
    return _inverse("asin", x, sin, range(-6, 7))


def arccos(x: Number) -> Number | CannotSay | None:
    """The arc cosine, between 0 and pi; open outside -1 to 1."""
    return _inverse("acos", x, cos, range(13))


def _inverse(
    name: str, x: Number, function: Callable[[Number], Number | CannotSay], twelfths: range
) -> Number | CannotSay | None:
    for end in (Fraction(-1), Fraction(1)):
        result = compare(x, end)
        if isinstance(result, CannotSay):
            return result
        if result * end > 0:
            return None
    for count in twelfths:
        angle = multiple_of_pi(Fraction(count, 12))
        if function(angle) == x:
            return angle
    return _made(name, x)


def arctan(x: Number) -> Number | CannotSay:
    for count in range(-5, 6):
        angle = multiple_of_pi(Fraction(count, 12))
        if tan(angle) == x:
            return angle
    return _made("atan", x)


def arccot(x: Number) -> Number | CannotSay:
    """The arc cotangent, between 0 and pi."""
    angle = arctan(x)
    if isinstance(angle, CannotSay):
        return angle
    negated = neg(angle)
    half = multiple_of_pi(Fraction(1, 2))
    return negated if isinstance(negated, CannotSay) else add(half, negated)


def of_reciprocal(function: Callable[[Number], Number | CannotSay | None]) -> Callable[[Number], Any]:
    """The function of 1/x: arcsec is arccos of it, arccsc is arcsin of it."""

    def applied(x: Number) -> Number | CannotSay | None:
        inverse = reciprocal(x)
        return inverse if inverse is None or isinstance(inverse, CannotSay) else function(inverse)

    return applied


def one_over(function: Callable[[Number], Number | CannotSay]) -> Callable[[Number], Any]:
    """The reciprocal: sec is one over cos, csc one over sin."""
    return lambda x: reciprocal(function(x))


def cot(x: Number) -> Number | CannotSay | None:
    return _quotient(cos(x), sin(x))
