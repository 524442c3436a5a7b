"""Computable real numbers: exact where they are known to be, decided by precision where they differ."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.smtlib.saying import says

from falsum.smtlib.values import computable, reals
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.computable import PI, Computable, Number, multiple_of_pi


def _number(found: Number | CannotSay | None) -> Number:
    assert found is not None
    assert not isinstance(found, CannotSay)
    return found


def test_special_values_are_exact() -> None:
    assert computable.exp(Fraction(0)) == 1
    assert computable.sqrt(Fraction(9, 4)) == Fraction(3, 2)
    assert computable.sin(multiple_of_pi(Fraction(1, 6))) == Fraction(1, 2)
    assert computable.cos(multiple_of_pi(Fraction(-7, 3))) == Fraction(1, 2)
    assert computable.tan(multiple_of_pi(Fraction(5, 4))) == 1
    assert computable.arcsin(Fraction(-1, 2)) == multiple_of_pi(Fraction(-1, 6))
    assert computable.arccos(Fraction(-1)) == PI
    assert computable.arctan(Fraction(-1)) == multiple_of_pi(Fraction(-1, 4))
    half = _number(computable.sqrt(Fraction(1, 2)))
    assert computable.cos(multiple_of_pi(Fraction(1, 4))) == half
    assert computable.arcsin(half) == multiple_of_pi(Fraction(1, 4))
    assert reals.mul(half, half) == Fraction(1, 2)
    nested = _number(computable.sqrt(_number(reals.add(Fraction(3), _number(computable.sqrt(Fraction(8)))))))
    assert reals.sub(nested, Fraction(1)) == computable.sqrt(Fraction(2))


OPEN: list[tuple[Callable[[Number], Number | CannotSay | None], Number]] = [
    (computable.sqrt, Fraction(-1)),
    (computable.arcsin, Fraction(2)),
    (computable.arccos, Fraction(-2)),
    (computable.tan, multiple_of_pi(Fraction(1, 2))),
    (computable.cot, Fraction(0)),
    (computable.one_over(computable.sin), PI),
    (computable.of_reciprocal(computable.arccos), Fraction(1, 2)),
]


def test_open_outside_the_domain() -> None:
    for function, x in OPEN:
        assert function(x) is None


FLOATS: dict[str, tuple[Callable[[Number], Number | CannotSay | None], Callable[[float], float]]] = {
    "exp": (computable.exp, math.exp),
    "sin": (computable.sin, math.sin),
    "cos": (computable.cos, math.cos),
    "tan": (computable.tan, math.tan),
    "atan": (computable.arctan, math.atan),
    "acot": (computable.arccot, lambda x: math.pi / 2 - math.atan(x)),
}


@pytest.mark.parametrize("name", FLOATS)
@given(x=st.fractions(-9, 9, max_denominator=50))
def test_near_the_value_of_floats(name: str, x: Fraction) -> None:
    exact, approximate = FLOATS[name]
    found = _number(exact(x))
    value = Fraction(approximate(float(x)))
    margin = abs(value) / 10**9 + Fraction(1, 10**9)
    assert reals.lt(value - margin, found) is True
    assert reals.gt(value + margin, found) is True


def test_comparisons() -> None:
    assert computable.compare(PI, Fraction(355, 113)) == -1
    assert computable.compare(Fraction(333, 106), PI) == -1
    assert computable.compare(PI, PI) == 0
    assert computable.sign(_number(computable.sin(Fraction(22)))) == -1
    assert reals.to_int(_number(reals.mul(PI, Fraction(-1)))) == -4
    assert reals.is_int(PI) is False
    assert reals.sub(PI, PI) == 0
    assert reals.div(multiple_of_pi(Fraction(3)), PI) == 3


def test_what_only_a_proof_would_show() -> None:
    sine, cosine = (_number(function(Fraction(1))) for function in (computable.sin, computable.cos))
    squares = [_number(reals.mul(part, part)) for part in (sine, cosine)]
    one = _number(reals.add(squares[0], squares[1]))
    assert isinstance(one, Computable)
    assert isinstance(reals.compare(one, Fraction(1)), CannotSay)
    assert isinstance(reals.equal(one, Fraction(1)), CannotSay)
    assert reals.lt(one, Fraction(2)) is True
    assert isinstance(reals.div(Fraction(1), _number(reals.sub(one, Fraction(1)))), CannotSay)
    assert isinstance(computable.power(PI, 10**9), CannotSay)


@pytest.mark.parametrize("exponent", ["100000000000.0", "(- 100000000000.0)"])
def test_numbers_too_long_to_write_are_not_rounded(exponent: str) -> None:
    """As fractions they would have more digits than fit into the memory."""
    formula = f"(fp.isInfinite ((_ to_fp 8 24) RNE (exp {exponent})))"
    assert isinstance(says(formula), str)
    assert says("(fp.isInfinite ((_ to_fp 8 24) RNE (exp 1000.0)))") is True
