"""Bit-vectors as unsigned integers; the first argument of a function is the width of its operands."""

from __future__ import annotations

from falsum.smtlib.values import integers
from falsum.smtlib.values.cannot_say import CannotSay


def signed(w: int, x: int) -> int:
    """The value in two's complement; also `sbv_to_int`."""
    return x - (1 << w) if x >> (w - 1) else x


def concat(right_width: int, left: int, right: int) -> int:
    """The left operand becomes the high bits; `width` is that of the right operand."""
    return left << right_width | right


def extract(high: int, low: int, x: int) -> int:
    return (x >> low) & ((1 << (high - low + 1)) - 1)


def repeat(w: int, count: int, x: int) -> int | CannotSay:
    if w * count > integers.MAX_BITS:
        return CannotSay("bit-vector too wide")
    # 1 0..0 1 0..0 1: one bit per copy.
    return x * (((1 << (w * count)) - 1) // ((1 << w) - 1))


def zero_extend(w: int, extra: int, x: int) -> int:  # noqa: ARG001  (indices as in sign_extend)
    return x


def sign_extend(w: int, extra: int, x: int) -> int | CannotSay:
    if w + extra > integers.MAX_BITS:
        return CannotSay("bit-vector too wide")
    return signed(w, x) & _ones(w + extra)


def rotate_left(w: int, amount: int, x: int) -> int:
    amount %= w
    return (x << amount | x >> (w - amount)) & _ones(w)


def rotate_right(w: int, amount: int, x: int) -> int:
    return rotate_left(w, -amount, x)


def ext_rotate_left(w: int, x: int, amount: int) -> int:
    """z3's rotation by a bit-vector."""
    return rotate_left(w, amount, x)


def ext_rotate_right(w: int, x: int, amount: int) -> int:
    return rotate_left(w, -amount, x)


def not_(w: int, x: int) -> int:
    return x ^ _ones(w)


def neg(w: int, x: int) -> int:
    return -x & _ones(w)


def and_(w: int, x: int, y: int) -> int:  # noqa: ARG001  (every operator takes its width)
    return x & y


def or_(w: int, x: int, y: int) -> int:  # noqa: ARG001
    return x | y


def xor(w: int, x: int, y: int) -> int:  # noqa: ARG001
    return x ^ y


def nand(w: int, x: int, y: int) -> int:
    return x & y ^ _ones(w)


def nor(w: int, x: int, y: int) -> int:
    return (x | y) ^ _ones(w)


def xnor(w: int, x: int, y: int) -> int:
    return x ^ y ^ _ones(w)


def comp(w: int, x: int, y: int) -> int:  # noqa: ARG001
    return int(x == y)


def redor(w: int, x: int) -> int:  # noqa: ARG001
    return int(x != 0)


def redand(w: int, x: int) -> int:
    return int(x == _ones(w))


def add(w: int, x: int, y: int) -> int:
    return (x + y) & _ones(w)


def sub(w: int, x: int, y: int) -> int:
    return (x - y) & _ones(w)


def mul(w: int, x: int, y: int) -> int:
    return (x * y) & _ones(w)


def udiv(w: int, x: int, y: int) -> int:
    return x // y if y else _ones(w)


def urem(w: int, x: int, y: int) -> int:  # noqa: ARG001
    return x % y if y else x


def sdiv(w: int, x: int, y: int) -> int:
    """The signed quotient, rounded towards zero; division by zero gives -1 for a non-negative dividend,
    otherwise 1.
    """
    a, b = signed(w, x), signed(w, y)
    magnitude = udiv(w, abs(a), abs(b))
    return (magnitude if (a < 0) == (b < 0) else -magnitude) & _ones(w)


def srem(w: int, x: int, y: int) -> int:
    """The signed remainder with the sign of the dividend."""
    a = signed(w, x)
    remainder = urem(w, abs(a), abs(signed(w, y)))
    return (remainder if a >= 0 else -remainder) & _ones(w)


def smod(w: int, x: int, y: int) -> int:
    """The signed remainder with the sign of the divisor."""
    return signed(w, x) % signed(w, y) & _ones(w) if y else x


def shl(w: int, x: int, amount: int) -> int:
    return 0 if amount >= w else (x << amount) & _ones(w)


def lshr(w: int, x: int, amount: int) -> int:
    return 0 if amount >= w else x >> amount


def ashr(w: int, x: int, amount: int) -> int:
    return (signed(w, x) >> min(amount, w)) & _ones(w)


def ult(w: int, x: int, y: int) -> bool:  # noqa: ARG001
    return x < y


def ule(w: int, x: int, y: int) -> bool:  # noqa: ARG001
    return x <= y


def ugt(w: int, x: int, y: int) -> bool:  # noqa: ARG001
    return x > y


def uge(w: int, x: int, y: int) -> bool:  # noqa: ARG001
    return x >= y


def slt(w: int, x: int, y: int) -> bool:
    return signed(w, x) < signed(w, y)


def sle(w: int, x: int, y: int) -> bool:
    return signed(w, x) <= signed(w, y)


def sgt(w: int, x: int, y: int) -> bool:
    return signed(w, x) > signed(w, y)


def sge(w: int, x: int, y: int) -> bool:
    return signed(w, x) >= signed(w, y)


def nego(w: int, x: int) -> bool:
    return x == 1 << (w - 1)


def uaddo(w: int, x: int, y: int) -> bool:
    return (x + y) >> w != 0


def saddo(w: int, x: int, y: int) -> bool:
    return _overflows(w, signed(w, x) + signed(w, y))


def umulo(w: int, x: int, y: int) -> bool:
    return (x * y) >> w != 0


def smulo(w: int, x: int, y: int) -> bool:
    return _overflows(w, signed(w, x) * signed(w, y))


def usubo(w: int, x: int, y: int) -> bool:  # noqa: ARG001
    return x < y


def ssubo(w: int, x: int, y: int) -> bool:
    return _overflows(w, signed(w, x) - signed(w, y))


def sdivo(w: int, x: int, y: int) -> bool:
    return nego(w, x) and y == _ones(w)


def to_unsigned_int(w: int, x: int) -> int:  # noqa: ARG001
    """`ubv_to_int`, formerly `bv2nat`."""
    return x


def to_signed_int(w: int, x: int) -> int:
    """`sbv_to_int`."""
    return signed(w, x)


def from_int(w: int, x: int) -> int:
    """`(_ int_to_bv w)`, formerly `int2bv`."""
    return x & _ones(w)


def _ones(w: int) -> int:
    return (1 << w) - 1


def _overflows(w: int, x: int) -> bool:
    return not -(1 << (w - 1)) <= x < 1 << (w - 1)
