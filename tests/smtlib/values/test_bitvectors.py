"""Bit-vector corners, and every operator against its definition at small widths."""

from __future__ import annotations

import pytest

from falsum.smtlib.values import bitvectors as bv
from falsum.smtlib.values.cannot_say import CannotSay


@pytest.mark.parametrize(
    ("name", "x", "y", "result"),
    [
        ("udiv", 0b0101, 0, 0b1111),
        ("udiv", 0, 0, 0b1111),
        ("udiv", 0b1111, 0b0010, 0b0111),
        ("urem", 0b0101, 0, 0b0101),
        ("urem", 0b1111, 0b0100, 0b0011),
        ("sdiv", 0b0011, 0, 0b1111),
        ("sdiv", 0, 0, 0b1111),
        ("sdiv", 0b1101, 0, 0b0001),
        ("sdiv", 0b1000, 0, 0b0001),
        ("sdiv", 0b1000, 0b1111, 0b1000),
        ("sdiv", 0b1001, 0b0010, 0b1101),
        ("srem", 0b1001, 0b0010, 0b1111),
        ("srem", 0b0111, 0b1110, 0b0001),
        ("srem", 0b1001, 0, 0b1001),
        ("smod", 0b1001, 0b0010, 0b0001),
        ("smod", 0b0111, 0b1110, 0b1111),
        ("smod", 0b1001, 0, 0b1001),
        ("smod", 0b1000, 0b1111, 0),
        ("shl", 0b0011, 4, 0),
        ("shl", 0b0011, 3, 0b1000),
        ("shl", 0b0011, 15, 0),
        ("lshr", 0b1111, 4, 0),
        ("lshr", 0b1000, 3, 1),
        ("ashr", 0b1000, 15, 0b1111),
        ("ashr", 0b0111, 15, 0),
        ("ashr", 0b1000, 1, 0b1100),
        ("comp", 5, 5, 1),
        ("comp", 5, 4, 0),
        ("sub", 0, 1, 0b1111),
        ("nand", 0b1100, 0b1010, 0b0111),
        ("nor", 0b1100, 0b1010, 0b0001),
        ("xnor", 0b1100, 0b1010, 0b1001),
        ("ssubo", 0, 0b1000, True),
        ("ssubo", 0b1111, 0b1000, False),
        ("ssubo", 0b0111, 0b1111, True),
        ("sdivo", 0b1000, 0b1111, True),
        ("sdivo", 0b1000, 0, False),
        ("sdivo", 0b1001, 0b1111, False),
        ("usubo", 3, 4, True),
        ("usubo", 4, 4, False),
        ("uaddo", 0b1111, 1, True),
        ("uaddo", 0b1110, 1, False),
        ("saddo", 0b0111, 1, True),
        ("saddo", 0b1111, 1, False),
        ("umulo", 0b0100, 0b0100, True),
        ("umulo", 0b0101, 0b0011, False),
        ("smulo", 0b1000, 0b1111, True),
        ("smulo", 0b1111, 0b1111, False),
    ],
)
def test_four_bits(name: str, x: int, y: int, result: int) -> None:
    assert getattr(bv, name)(4, x, y) == result


def test_signed_operators_follow_their_ite_expansion() -> None:
    for w in (1, 2, 3, 4):
        top = 1 << (w - 1)
        for s in range(1 << w):
            for t in range(1 << w):
                negative_s, negative_t = s >= top, t >= top
                size_s = bv.neg(w, s) if negative_s else s
                size_t = bv.neg(w, t) if negative_t else t
                quotient, rest = bv.udiv(w, size_s, size_t), bv.urem(w, size_s, size_t)
                flipped = negative_s != negative_t
                assert bv.sdiv(w, s, t) == (bv.neg(w, quotient) if flipped else quotient)
                assert bv.srem(w, s, t) == (bv.neg(w, rest) if negative_s else rest)
                if rest == 0:
                    modulus = 0
                elif not negative_s and not negative_t:
                    modulus = rest
                elif negative_s and not negative_t:
                    modulus = bv.add(w, bv.neg(w, rest), t)
                elif not negative_s:
                    modulus = bv.add(w, rest, t)
                else:
                    modulus = bv.neg(w, rest)
                assert bv.smod(w, s, t) == modulus
                overflow = not negative_s if bv.nego(w, t) else bv.saddo(w, s, bv.neg(w, t))
                assert bv.ssubo(w, s, t) is overflow


def test_unsigned_and_signed_order() -> None:
    for x in range(8):
        for y in range(8):
            a, b = bv.signed(3, x), bv.signed(3, y)
            assert (bv.ult(3, x, y), bv.ule(3, x, y)) == (x < y, x <= y)
            assert (bv.ugt(3, x, y), bv.uge(3, x, y)) == (x > y, x >= y)
            assert (bv.slt(3, x, y), bv.sle(3, x, y)) == (a < b, a <= b)
            assert (bv.sgt(3, x, y), bv.sge(3, x, y)) == (a > b, a >= b)


def test_bitwise_and_modular() -> None:
    assert bv.and_(4, 0b1100, 0b1010) == 0b1000
    assert bv.or_(4, 0b1100, 0b1010) == 0b1110
    assert bv.xor(4, 0b1100, 0b1010) == 0b0110
    assert bv.mul(4, 0b0111, 0b0011) == 0b0101
    assert bv.add(4, 0b1111, 0b0010) == 0b0001


def test_widths_and_indices() -> None:
    assert bv.concat(3, 0b10, 0b011) == 0b10011
    assert bv.extract(3, 1, 0b11010) == 0b101
    assert bv.extract(0, 0, 0b10) == 0
    assert bv.repeat(2, 1, 0b10) == 0b10
    assert bv.repeat(2, 3, 0b10) == 0b101010
    assert bv.repeat(1, 4, 1) == 0b1111
    assert bv.zero_extend(2, 0, 3) == bv.zero_extend(2, 5, 3) == 3
    assert bv.sign_extend(2, 0, 3) == 3
    assert bv.sign_extend(2, 2, 0b10) == 0b1110
    assert bv.sign_extend(2, 2, 0b01) == 0b0001
    assert bv.rotate_left(4, 1, 0b1000) == 0b0001
    assert bv.rotate_left(4, 4, 0b1010) == bv.rotate_left(4, 0, 0b1010) == 0b1010
    assert bv.rotate_left(4, 10**30 * 4 + 1, 0b1000) == 0b0001
    assert bv.rotate_right(4, 5, 0b0001) == 0b1000
    assert bv.ext_rotate_left(3, 0b100, 0b111) == 0b001
    assert bv.ext_rotate_right(3, 0b001, 0b001) == 0b100


def test_reductions() -> None:
    assert [bv.redor(3, x) for x in (0, 1, 7)] == [0, 1, 1]
    assert [bv.redand(3, x) for x in (0, 6, 7)] == [0, 0, 1]
    assert [bv.nego(3, x) for x in (3, 4, 7)] == [False, True, False]
    assert bv.nego(1, 1)
    assert bv.not_(3, 0b010) == 0b101
    assert bv.neg(3, 0b100) == 0b100


def test_integers_and_back() -> None:
    assert bv.to_unsigned_int(3, 7) == 7
    assert [bv.to_signed_int(3, x) for x in (0, 3, 4, 7)] == [0, 3, -4, -1]
    assert [bv.from_int(3, x) for x in (-1, -8, -9, 8, 9, 7)] == [7, 0, 7, 0, 1, 7]


def test_huge_shifts_and_widths() -> None:
    assert bv.shl(100_000, 1, (1 << 100_000) - 1) == 0
    assert bv.ashr(100_000, 1 << 99_999, (1 << 100_000) - 1) == (1 << 100_000) - 1
    assert isinstance(bv.repeat(64, 10**9, 1), CannotSay)
    assert isinstance(bv.sign_extend(64, 10**9, 1), CannotSay)
