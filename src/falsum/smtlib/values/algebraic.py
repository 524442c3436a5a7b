"""Irrational real algebraic numbers, as roots of irreducible integer polynomials."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from typing import TYPE_CHECKING, Any

from flint import Ordering, fmpq, fmpz_mpoly_ctx, fmpz_poly

from falsum.smtlib.values.cannot_say import CannotSay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

MAX_DEGREE = 64
MAX_HEIGHT_BITS = 4096

_TOO_COMPLEX = CannotSay("irrational number too complex")

Interval = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Algebraic:
    """The `index`-th smallest real root, counted from 1, of an irreducible polynomial.

    The coefficients start with the constant one; they are coprime, the leading one is positive and the
    degree is at least 2. So equal numbers are equal records, and none is rational.
    """

    polynomial: tuple[int, ...]
    index: int

    @property
    def degree(self) -> int:
        return len(self.polynomial) - 1

    def interval(self, bits: int) -> Interval:
        """Rationals strictly around the number and no other root, at most `2^-bits` apart."""
        return _interval(self, bits)


Real = Fraction | Algebraic


def root_of(coefficients: Sequence[int], index: int) -> Real | CannotSay:
    """z3's `root-obj`: the `index`-th distinct real root of any integer polynomial, from 1."""
    roots = _real_roots_of_product(coefficients)
    if isinstance(roots, CannotSay):
        return roots
    if not 1 <= index <= len(roots):
        return CannotSay("polynomial has no such root")
    # The rank is the number of smaller roots; the records themselves are not ordered.
    return next(r for r in roots if sum(compare(o, r) < 0 for o in roots) == index - 1)


def root_between(coefficients: Sequence[int], low: Fraction, high: Fraction) -> Real | CannotSay:
    """cvc5's `real_algebraic_number`: the only root of a polynomial in an interval."""
    roots = _real_roots_of_product(coefficients)
    if isinstance(roots, CannotSay):
        return roots
    inside = [r for r in roots if compare(r, low) >= 0 and compare(r, high) <= 0]
    if len(inside) > 1:
        inside = [r for r in inside if r not in (low, high)]
    return inside[0] if len(inside) == 1 else CannotSay("interval does not isolate a root")


def compare(x: Real, y: Real) -> int:
    """-1, 0 or 1, exactly."""
    if x == y:
        return 0
    bits = 16
    while True:
        x_low, x_high = _around(x, bits)
        y_low, y_high = _around(y, bits)
        # Only adjacent intervals share an end point, and an irrational number is never an end point.
        if x_high <= y_low:
            return -1
        if y_high <= x_low:
            return 1
        bits *= 2


def floor(x: Algebraic) -> int:
    bits = 4
    while True:
        low, high = x.interval(bits)
        if low.__floor__() == high.__floor__() or high == low.__floor__() + 1:
            return low.__floor__()
        bits *= 2


def negate(x: Algebraic) -> Algebraic:
    return _reflected(x, _substituted(x, fmpz_poly([0, -1])))


def shift(x: Algebraic, by: Fraction) -> Real | CannotSay:
    """`x + by`."""
    # p(z - by) times a power of the denominator; the order of the roots does not change.
    inner = [-by.numerator, by.denominator]
    return _checked(_homogeneous(x.polynomial, inner, by.denominator), x.index)


def scale(x: Algebraic, by: Fraction) -> Real | CannotSay:
    """`x * by`, with `by` not zero."""
    if by < 0:
        return scale(negate(x), -by)
    return _checked(_homogeneous(x.polynomial, [0, by.denominator], by.numerator), x.index)


def invert(x: Algebraic) -> Real | CannotSay:
    def image(bits: int) -> Interval | None:
        low, high = x.interval(bits)
        return None if low <= 0 <= high else (1 / high, 1 / low)

    return _locate(fmpz_poly(list(reversed(x.polynomial))), image)


def power(x: Algebraic, n: int) -> Real | CannotSay:
    """`x^n` with n at least 2."""
    # The coefficients get about n times as long; give up before computing the resultant.
    if n * max(abs(c) for c in x.polynomial).bit_length() > 2 * MAX_HEIGHT_BITS:
        return _TOO_COMPLEX

    def image(bits: int) -> Interval:
        low, high = x.interval(bits)
        # The power of an interval that contains zero contains zero.
        ends = (low**n, high**n, min(max(low, Fraction(0)), high) ** n)
        return min(ends), max(ends)

    inner, outer = _CONTEXT.gens()
    return _locate(_resultant(_lifted(x.polynomial, inner), outer - inner**n), image)


def square_root(x: Real) -> Real | CannotSay:
    """The square root of a number that is not negative."""
    if isinstance(x, Fraction):
        coefficients = [-x.numerator, 0, x.denominator]
    else:
        coefficients = [part for c in x.polynomial for part in (c, 0)][:-1]
    roots = _real_roots_of_product(coefficients)
    if isinstance(roots, CannotSay):
        return roots
    nonnegative = [r for r in roots if compare(r, Fraction(0)) >= 0]
    # The order of the roots is that of their squares.
    rank = 0 if isinstance(x, Fraction) else sum(_is_below(r, x) for r in _positive_conjugates(x))
    nonnegative.sort(key=cmp_to_key(compare))
    return nonnegative[rank]


def _positive_conjugates(x: Algebraic) -> list[Algebraic]:
    every = [Algebraic(x.polynomial, index + 1) for index in range(len(_isolated(x.polynomial)))]
    return [conjugate for conjugate in every if compare(conjugate, Fraction(0)) > 0]


def _is_below(x: Real, y: Real) -> bool:
    return compare(x, y) < 0


def add(x: Algebraic, y: Algebraic) -> Real | CannotSay:
    if x == y:
        return scale(x, Fraction(2))
    if x == negate(y):
        return Fraction(0)
    if x.degree * y.degree > MAX_DEGREE:
        return _TOO_COMPLEX

    def image(bits: int) -> Interval:
        (x_low, x_high), (y_low, y_high) = x.interval(bits), y.interval(bits)
        return x_low + y_low, x_high + y_high

    inner, outer = _CONTEXT.gens()
    other = _lifted(y.polynomial, outer - inner)
    return _locate(_resultant(_lifted(x.polynomial, inner), other), image)


def multiply(x: Algebraic, y: Algebraic) -> Real | CannotSay:
    if x == y:
        return power(x, 2)
    if x.degree * y.degree > MAX_DEGREE:
        return _TOO_COMPLEX

    def image(bits: int) -> Interval:
        ends = [a * b for a in x.interval(bits) for b in y.interval(bits)]
        return min(ends), max(ends)

    inner, outer = _CONTEXT.gens()
    # The polynomial of y in outer/inner, times inner^degree.
    other = sum((c * outer**i * inner ** (y.degree - i) for i, c in enumerate(y.polynomial)), inner * 0)
    return _locate(_resultant(_lifted(x.polynomial, inner), other), image)


_CONTEXT: Any = fmpz_mpoly_ctx.get(("inner", "outer"), Ordering.lex)


def _lifted(coefficients: Iterable[int], at: Any) -> Any:
    total = at * 0
    for coefficient in reversed(tuple(coefficients)):
        total = total * at + coefficient
    return total


def _resultant(p: Any, q: Any) -> Any:
    """The resultant with respect to `inner`: a polynomial in `outer`."""
    eliminated = p.resultant(q, "inner")
    coefficients = [0] * (eliminated.degrees()[1] + 1)
    for monomial, coefficient in eliminated.terms():
        coefficients[monomial[1]] = coefficient
    return fmpz_poly(coefficients)


def _homogeneous(coefficients: tuple[int, ...], inner: list[int], outer: int) -> Any:
    """`outer^degree * p(inner / outer)` for a polynomial `inner`."""
    total, factor = fmpz_poly([]), 1
    at = fmpz_poly(inner)
    for coefficient in reversed(coefficients):
        total = total * at + coefficient * factor
        factor *= outer
    return total


def _substituted(x: Algebraic, at: Any) -> Any:
    return fmpz_poly(list(x.polynomial))(at)


def _reflected(x: Algebraic, polynomial: Any) -> Algebraic:
    return Algebraic(_primitive(polynomial), len(_isolated(x.polynomial)) + 1 - x.index)


def _checked(polynomial: Any, index: int) -> Real | CannotSay:
    if polynomial.height_bits() > MAX_HEIGHT_BITS:
        return _TOO_COMPLEX
    return Algebraic(_primitive(polynomial), index)


def _primitive(polynomial: Any) -> tuple[int, ...]:
    content = polynomial.content()
    if polynomial.leading_coefficient() < 0:
        content = -content
    return tuple(int(c) for c in (polynomial / content).coeffs())


def _locate(polynomial: Any, image: Callable[[int], Interval | None]) -> Real | CannotSay:
    """The root of `polynomial` that lies in all of a sequence of shrinking intervals."""
    roots = _real_roots(polynomial)
    if isinstance(roots, CannotSay):
        return roots
    bits = 32
    while len(roots) > 1:
        bounds = image(bits)
        if bounds is not None:
            low, high = bounds
            around = [(r, _around(r, bits)) for r in roots]
            roots = [r for r, (r_low, r_high) in around if r_high >= low and r_low <= high]
        bits *= 2
    return roots[0]


def _real_roots_of_product(coefficients: Sequence[int]) -> list[Real] | CannotSay:
    polynomial = fmpz_poly(list(coefficients))
    if polynomial.degree() < 1:
        return CannotSay("polynomial has no roots")
    return _real_roots(polynomial)


def _real_roots(polynomial: Any) -> list[Real] | CannotSay:
    """The distinct real roots, factor by factor."""
    if polynomial.degree() > MAX_DEGREE or polynomial.height_bits() > MAX_HEIGHT_BITS:
        return _TOO_COMPLEX
    roots: list[Real] = []
    for factor, _ in polynomial.factor()[1]:
        coefficients = _primitive(factor)
        if len(coefficients) == 2:
            roots.append(Fraction(-coefficients[0], coefficients[1]))
        else:
            count = len(_isolated(coefficients))
            roots.extend(Algebraic(coefficients, index + 1) for index in range(count))
    return roots


def _around(x: Real, bits: int) -> Interval:
    return (x, x) if isinstance(x, Fraction) else x.interval(bits)


@lru_cache(maxsize=1024)
def _isolated(coefficients: tuple[int, ...]) -> tuple[Interval, ...]:
    """An interval for each real root of an irreducible polynomial, in order."""
    polynomial = fmpz_poly(list(coefficients))
    intervals = sorted(_exact_ball(root.real) for root, _ in polynomial.complex_roots() if root.imag == 0)
    return tuple(intervals)


def _exact_ball(ball: Any) -> Interval:
    middle, radius = _dyadic(ball.mid()), _dyadic(ball.rad())
    return middle - radius, middle + radius


def _dyadic(number: Any) -> Fraction:
    mantissa, exponent = (int(part) for part in number.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


@lru_cache(maxsize=1024)
def _interval(x: Algebraic, bits: int) -> Interval:
    low, high = _isolated(x.polynomial)[x.index - 1]
    width = Fraction(1, 1 << bits)
    if high - low <= width:
        return low, high
    polynomial = fmpz_poly(list(x.polynomial))
    rising = _value(polynomial, high) > 0
    while high - low > width:
        middle = (low + high) / 2
        if (_value(polynomial, middle) > 0) == rising:
            high = middle
        else:
            low = middle
    return low, high


def _value(polynomial: Any, at: Fraction) -> Any:
    return polynomial(fmpq(at.numerator, at.denominator))
