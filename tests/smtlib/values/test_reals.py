"""Exact real arithmetic, irrational numbers included."""

from __future__ import annotations

from fractions import Fraction

import pytest

from falsum.smtlib.values import algebraic, reals
from falsum.smtlib.values.algebraic import Algebraic, Real, root_between, root_of
from falsum.smtlib.values.cannot_say import CannotSay

HALF = Fraction(1, 2)
SQRT2 = Algebraic((-2, 0, 1), 2)
SQRT3 = Algebraic((-3, 0, 1), 2)
CUBE_ROOT2 = Algebraic((-2, 0, 0, 1), 1)


@pytest.mark.parametrize(
    ("x", "floor", "whole"),
    [
        (Fraction(-13, 10), -2, False),
        (Fraction(13, 10), 1, False),
        (Fraction(-2), -2, True),
        (Fraction(0), 0, True),
        (SQRT2, 1, False),
        (reals.neg(SQRT2), -2, False),
        (CUBE_ROOT2, 1, False),
        (reals.neg(CUBE_ROOT2), -2, False),
        (Algebraic((-(10**60) - 1, 0, 1), 2), 10**30, False),
        (Algebraic((-(10**60) + 1, 0, 1), 2), 10**30 - 1, False),
    ],
)
def test_to_int_is_floor(x: Real, floor: int, whole: bool) -> None:
    assert reals.to_int(x) == floor
    assert reals.is_int(x) is whole
    assert (reals.to_real(floor) == x) is whole


def test_division_by_zero_is_open() -> None:
    assert reals.div(HALF, Fraction(0)) is None
    assert reals.div(Fraction(0), Fraction(0)) is None
    assert reals.div(SQRT2, Fraction(0)) is None
    assert reals.div(Fraction(0), SQRT2) == 0
    assert reals.div(HALF, Fraction(-2)) == Fraction(-1, 4)


def test_roots_of_a_polynomial_are_counted_from_the_smallest() -> None:
    # (x^2 - 2)^2 (x - 1) (3x + 1): distinct roots -1.41, -1/3, 1, 1.41.
    coefficients = (-4, -8, 16, 8, -13, -2, 3)
    roots = [root_of(coefficients, index) for index in range(1, 6)]
    assert roots[:4] == [reals.neg(SQRT2), Fraction(-1, 3), Fraction(1), SQRT2]
    assert isinstance(roots[4], CannotSay)
    assert isinstance(root_of(coefficients, 0), CannotSay)
    assert isinstance(root_of((1, 0, 1), 1), CannotSay)
    assert isinstance(root_of((5,), 1), CannotSay)
    assert isinstance(root_of((), 1), CannotSay)
    assert isinstance(root_of((*([0] * 500), 1, 1), 1), CannotSay)


def test_the_root_in_an_interval() -> None:
    assert root_between((-2, 0, 1), Fraction(1), Fraction(2)) == SQRT2
    assert root_between((-2, 0, 1), Fraction(-2), Fraction(0)) == reals.neg(SQRT2)
    assert root_between((-1, 0, 1), Fraction(0), Fraction(3)) == 1
    assert root_between((-1, 1), Fraction(1), Fraction(1)) == 1
    # The ends of an open interval do not count when there is a root inside.
    assert root_between((0, -2, 0, 1), Fraction(0), Fraction(2)) == SQRT2
    assert isinstance(root_between((-2, 0, 1), Fraction(-2), Fraction(2)), CannotSay)
    assert isinstance(root_between((-2, 0, 1), Fraction(2), Fraction(3)), CannotSay)
    assert isinstance(root_between((7,), Fraction(2), Fraction(3)), CannotSay)


def test_equal_numbers_are_equal_records() -> None:
    assert root_of((4, 0, -2), 2) == SQRT2
    assert root_of((-8, 0, 4), 2) == SQRT2
    assert hash(root_of((4, 0, -2), 2)) == hash(SQRT2)
    assert SQRT2 not in (reals.neg(SQRT2), SQRT3, Fraction(3, 2))


def test_rational_results_come_back_as_fractions() -> None:
    assert reals.mul(SQRT2, SQRT2) == 2
    assert reals.sub(SQRT2, SQRT2) == 0
    assert reals.add(SQRT2, algebraic.negate(SQRT2)) == 0
    assert reals.div(SQRT2, SQRT2) == 1
    assert reals.mul(SQRT2, Fraction(0)) == reals.mul(Fraction(0), SQRT2) == 0
    assert reals.power(CUBE_ROOT2, 3) == 2
    assert reals.power(SQRT2, -4) == Fraction(1, 4)
    both = reals.mul(SQRT2, Algebraic((-8, 0, 1), 1))
    assert both == -4
    assert isinstance(both, Fraction)


def test_irrational_arithmetic() -> None:
    total = reals.add(SQRT2, SQRT3)
    assert total == Algebraic((1, 0, -10, 0, 1), 4)
    assert isinstance(total, Algebraic)
    assert reals.sub(total, SQRT3) == SQRT2
    assert reals.mul(SQRT2, SQRT3) == Algebraic((-6, 0, 1), 2)
    assert reals.add(SQRT2, SQRT2) == Algebraic((-8, 0, 1), 2)
    assert reals.add(SQRT2, HALF) == reals.add(HALF, SQRT2) == Algebraic((-7, -4, 4), 2)
    assert reals.mul(SQRT2, Fraction(-1, 2)) == Algebraic((-1, 0, 2), 1)
    assert reals.div(Fraction(1), SQRT2) == Algebraic((-1, 0, 2), 2)
    assert reals.div(SQRT2, Fraction(2)) == Algebraic((-1, 0, 2), 2)
    assert reals.power(SQRT2, 3) == Algebraic((-8, 0, 1), 2)
    assert reals.power(SQRT2, 1) == SQRT2
    assert reals.power(algebraic.negate(SQRT2), 3) == Algebraic((-8, 0, 1), 1)
    assert reals.abs_(algebraic.negate(SQRT2)) == SQRT2


def test_powers() -> None:
    assert reals.power(Fraction(0), 0) is None
    assert reals.power(Fraction(0), -1) is None
    assert reals.power(Fraction(0), 3) == 0
    assert reals.power(SQRT2, 0) == 1
    assert reals.power(Fraction(2, 3), -2) == Fraction(9, 4)
    assert reals.power(Fraction(-1), 10**40 + 1) == -1
    assert isinstance(reals.power(Fraction(2), 10**40), CannotSay)
    assert isinstance(reals.power(SQRT2, 10**40), CannotSay)
    assert isinstance(reals.power(SQRT2, -(10**40)), CannotSay)


def test_comparisons() -> None:
    close = Fraction(1414213562373095048801688724209698078569671875, 10**45)
    below = [algebraic.negate(SQRT3), algebraic.negate(SQRT2)]
    ordered: list[Real] = [*below, Fraction(0), CUBE_ROOT2, HALF * 2, close, SQRT2, HALF * 3, SQRT3]
    ordered[3], ordered[4] = ordered[4], ordered[3]
    for i, x in enumerate(ordered):
        for j, y in enumerate(ordered):
            assert reals.compare(x, y) == (i > j) - (i < j)
            assert reals.lt(x, y) is (i < j)
            assert reals.leq(x, y) is (i <= j)
            assert reals.gt(x, y) is (i > j)
            assert reals.geq(x, y) is (i >= j)
    assert [reals.sign(x) for x in ordered[:4]] == [-1, -1, 0, 1]


def test_beyond_the_budget_is_cannot_say() -> None:
    huge = Fraction(1 << 100_000)
    assert isinstance(reals.mul(huge, huge), CannotSay)
    assert isinstance(reals.add(huge, 1 / huge), CannotSay)
    assert isinstance(reals.add(SQRT2, huge), CannotSay)
    assert isinstance(reals.mul(huge, SQRT2), CannotSay)
    long = root_of((-(1 << 4000) - 1, 1, 0, 1), 1)
    assert isinstance(long, Algebraic)
    assert isinstance(reals.mul(long, long), CannotSay)
    high = root_of((-1, -1, *([0] * 10), 1), 1)
    other = root_of((-3, -1, *([0] * 10), 1), 1)
    assert isinstance(high, Algebraic)
    assert isinstance(other, Algebraic)
    assert isinstance(reals.add(high, other), CannotSay)
    assert isinstance(reals.mul(high, other), CannotSay)
    assert isinstance(reals.div(Fraction(1), algebraic.negate(high)), Algebraic)
