"""Integer arithmetic of SMT-LIB 2.7 and the integer extensions of solvers, within a size budget."""

from __future__ import annotations

from flint import fmpz

from falsum.smtlib.values.cannot_say import CannotSay

# Repeated squaring doubles the size at each step; larger numbers are not computed.
MAX_BITS = 1 << 18

_TOO_BIG = CannotSay("integer too big")


def add(x: int, y: int) -> int | CannotSay:
    return _within_budget(x + y)


def sub(x: int, y: int) -> int | CannotSay:
    return _within_budget(x - y)


def neg(x: int) -> int:
    return -x


def mul(x: int, y: int) -> int | CannotSay:
    if x.bit_length() + y.bit_length() > MAX_BITS:
        return _TOO_BIG
    return x * y


def div(m: int, n: int) -> int | None:
    """Euclidean quotient: floor for a positive divisor, ceiling for a negative one."""
    if n == 0:
        return None
    return m // n if n > 0 else -(m // -n)


def mod(m: int, n: int) -> int | None:
    """Euclidean remainder, never negative."""
    return None if n == 0 else m % abs(n)


def abs_(x: int) -> int:
    return abs(x)


def divisible(n: int, x: int) -> bool:
    """`((_ divisible n) x)`, n at least 1."""
    return x % n == 0


def power(m: int, n: int) -> int | CannotSay | None:
    """`(** m n)`; a negative exponent means `(div 1 (** m (- n)))`."""
    if n < 0:
        if m == 0:
            return None
        return 0 if abs(m) > 1 else (m if n % 2 else 1)
    if n == 0:
        return 1
    if abs(m) <= 1:
        return m if n % 2 else abs(m)
    # |m|**n has more than n * (bits - 1) bits, so give up before computing it.
    if n > MAX_BITS or n * m.bit_length() > MAX_BITS:
        return _TOO_BIG
    return int(m**n)


def pow2(n: int) -> int | CannotSay:
    """cvc5's `int.pow2`: 0 for a negative exponent."""
    if n < 0:
        return 0
    return _TOO_BIG if n >= MAX_BITS else 1 << n


def log2(x: int) -> int:
    """cvc5's `int.log2`: floor of the binary logarithm; 0 if it does not exist."""
    return x.bit_length() - 1 if x > 0 else 0


def iand(k: int, x: int, y: int) -> int | CannotSay:
    """`((_ iand k) x y)`: the bitwise and of both arguments modulo `2^k`."""
    if k > MAX_BITS:
        return _TOO_BIG
    return x & y & ((1 << k) - 1)


def to_decimal(x: int) -> str:
    """The digits of an integer; Python's own `str` refuses more than 4300 of them."""
    return str(x) if x.bit_length() < 4096 else str(fmpz(x))


def from_decimal(digits: str) -> int:
    """The value of ASCII digits, of any number."""
    return int(digits) if len(digits) < 4096 else int(fmpz(digits))


def _within_budget(x: int) -> int | CannotSay:
    return _TOO_BIG if x.bit_length() > MAX_BITS else x
