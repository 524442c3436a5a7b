"""Elimination of variables, compared with trying their values."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from falsum.smtlib.values import linear
from falsum.smtlib.values.linear import Atom, AtomBudget, Formula, Linear, TooLargeError, Variable


def _holds(formula: Formula, values: dict[Variable, Fraction]) -> bool:
    if isinstance(formula, bool):
        return formula
    if isinstance(formula, Atom):
        number = sum((c * values[v] for v, c in formula.polynomial.terms), formula.polynomial.constant)
        decided = linear.atom(formula.relation, linear.constant(number), formula.divisor)
        assert isinstance(decided, bool)
        return decided
    answers = [_holds(part, values) for part in formula.parts]
    return all(answers) if formula.is_and else any(answers)


def _formulas(*of: Variable) -> st.SearchStrategy[Formula]:
    relations = ["<", "<=", "=", "!=", ">", ">=", *(["|", "!|"] if of[0].is_int else [])]

    def made(coefficients: tuple[int, ...], number: int, relation: str, divisor: int) -> Formula:
        parts = [(Fraction(c), linear.variable(v)) for c, v in zip(coefficients, of, strict=True)]
        polynomial = linear.combine([*parts, (Fraction(1), linear.constant(number))])
        return linear.atom(relation, polynomial, divisor if "|" in relation else 0)

    coefficients = st.tuples(*(st.integers(-3, 3) for _ in of))
    atoms = st.builds(made, coefficients, st.integers(-4, 4), st.sampled_from(relations), st.integers(2, 3))
    return st.recursive(
        atoms,
        lambda inner: st.builds(linear.junction, st.booleans(), st.lists(inner, min_size=2, max_size=3)),
        max_leaves=5,
    )


X, Y = (Variable(name, is_int=True) for name in "xy")
V, W = (Variable(name, is_int=False) for name in "vw")


@settings(max_examples=60, deadline=None)
@given(_formulas(X, Y), st.integers(-5, 5))
def test_integers(formula: Formula, x: int) -> None:
    left = linear.exists(Y, formula, AtomBudget(100_000))
    assert Y not in linear.variables(left)
    # Bounds are at most 4 + 3 * 5, divisors at most 3 * 2: beyond that nothing new happens.
    tried = any(_holds(formula, {X: Fraction(x), Y: Fraction(y)}) for y in range(-40, 41))
    assert _holds(left, {X: Fraction(x)}) is tried


@settings(max_examples=60, deadline=None)
@given(_formulas(V, W), st.integers(-3, 3))
def test_reals(formula: Formula, v: int) -> None:
    left = linear.exists(W, formula, AtomBudget(100_000))
    assert W not in linear.variables(left)
    # Bounds have denominators up to 3, so something lies between any two of them.
    tried = any(_holds(formula, {V: Fraction(v), W: Fraction(w, 12)}) for w in range(-180, 181))
    assert _holds(left, {V: Fraction(v)}) is tried


@settings(max_examples=60, deadline=None)
@given(_formulas(X, Y), st.integers(-4, 4), st.integers(-4, 4))
def test_negation(formula: Formula, x: int, y: int) -> None:
    values = {X: Fraction(x), Y: Fraction(y)}
    assert _holds(linear.negation(formula), values) is not _holds(formula, values)


def test_a_budget_limits_the_work() -> None:
    polynomial = linear.combine(((Fraction(10**9), linear.variable(X)), (Fraction(7), linear.variable(Y))))
    formula = linear.junction(True, (linear.atom("<=", polynomial), linear.atom("|", polynomial, 10**9 + 7)))
    with pytest.raises(TooLargeError):
        linear.exists(X, formula, AtomBudget(1_000))


def test_integers_beside_reals_are_left_alone() -> None:
    mixed = Linear(((V, Fraction(1)), (X, Fraction(1))), Fraction(0))
    formula = linear.junction(True, (linear.atom("<", mixed), linear.atom(">", mixed)))
    with pytest.raises(TooLargeError):
        linear.exists(X, formula, AtomBudget(1_000))
