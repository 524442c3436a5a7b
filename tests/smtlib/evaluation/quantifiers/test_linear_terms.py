"""Operators on linear polynomials."""

from __future__ import annotations

from fractions import Fraction

import pytest

from falsum.smtlib import read_script
from falsum.smtlib.evaluation.quantifiers.linear_terms import LINEAR, compared, rational
from falsum.smtlib.operators import Operator
from falsum.smtlib.scripts import Assert
from falsum.smtlib.terms import App
from falsum.smtlib.values import linear
from falsum.smtlib.values.linear import Linear, TooLargeError, Variable

X = linear.variable(Variable("x", is_int=False))


def _applied(text: str, *parts: Linear) -> Linear:
    """The operator of an application, written with other arguments, on polynomials."""
    command = read_script(f"(assert (= 0.0 {text}))").commands[0]
    assert isinstance(command, Assert)
    assert isinstance(command.term, App)
    term = command.term.args[1]
    assert isinstance(term, App)
    assert isinstance(term.head.symbol, Operator)
    return LINEAR[term.head.symbol.canonical.name](term)(*parts)


def _polynomial(factor: int | Fraction, number: int | Fraction) -> Linear:
    return linear.combine(((Fraction(factor), X), (Fraction(1), linear.constant(number))))


def test_values() -> None:
    assert _applied("(+ 1.0 2.0 3.0)", X, linear.constant(2), X) == _polynomial(2, 2)
    assert _applied("(- 1.0)", _polynomial(2, 3)) == _polynomial(-2, -3)
    assert _applied("(- 1.0 2.0 3.0)", linear.constant(5), X, X) == _polynomial(-2, 5)
    assert _applied(
        "(* 1.0 2.0 3.0)", linear.constant(2), _polynomial(1, 1), linear.constant(3)
    ) == _polynomial(6, 6)
    assert _applied("(/ 1.0 2.0)", _polynomial(1, 1), linear.constant(2)) == _polynomial(
        Fraction(1, 2), Fraction(1, 2)
    )


def test_what_is_not_linear() -> None:
    with pytest.raises(TooLargeError):
        _applied("(* 1.0 2.0)", X, X)
    for divisor in (X, linear.constant(0)):
        with pytest.raises(TooLargeError):
            _applied("(/ 1.0 2.0)", X, divisor)
    with pytest.raises(TooLargeError):
        rational("1")


def test_comparisons() -> None:
    assert compared("<", linear.constant(1), linear.constant(2)) is True
    assert compared("=", X, X) is True
    assert compared("<", X, X) is False
    assert rational(3) == Fraction(3)
