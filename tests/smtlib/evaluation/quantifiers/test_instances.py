"""Instances of quantifiers over infinite domains, and fuel for recursion."""

from __future__ import annotations

from itertools import islice, product

import pytest
from tests.smtlib.saying import says

from falsum.smtlib.evaluation.quantifiers.instances import _near_first

DECLARED = (
    "(declare-const x Int)(declare-fun f (Int) Int)(declare-const s String)(declare-fun g (String) Bool)"
)
MODEL = """((define-fun x () Int 170) (define-fun s () String "ab")
    (define-fun f ((z Int)) Int (ite (= z 570) 3 (* z z z)))
    (define-fun g ((z String)) Bool (= z "odd one")))"""
SAID = {
    # The value of a ground term of the body, and its neighbours.
    "(forall ((y Int)) (not (= (* y y y) (* x x x))))": False,
    "(exists ((y Int)) (= (* y y y) (* x x x)))": True,
    "(exists ((y Int)) (and (> y x) (< (* y y) (* (+ x 2) (+ x 2)))))": True,
    '(forall ((y String)) (not (= (str.++ y "c") (str.++ s "c"))))': False,
    # A point at which the model's function has a value of its own.
    "(forall ((y Int)) (= (f y) (* y y y)))": False,
    "(exists ((y String)) (g y))": True,
    # Both variables at a value far down its list.
    "(exists ((y Int) (z Int)) (and (= (* y y y) (* x x x)) (= (* z z z z) (* x x x x))))": True,
    # Nothing is ever confirmed.
    "(forall ((y Int)) (>= (* y y) 0))": None,
    "(exists ((y Int)) (= (* y y y) 12345678))": None,
}


@pytest.mark.parametrize("formula", SAID)
def test_relevant_instances_decide(formula: str) -> None:
    said = says(formula, MODEL, DECLARED)
    assert (None if isinstance(said, str) else said) is SAID[formula], said


def test_every_combination_comes_once_and_near_ones_first() -> None:
    lists = [[0, 1, 2], [0, 1], [0, 1, 2, 3]]
    found = list(_near_first(lists))
    assert sorted(found) == sorted(product(*lists))
    assert [max(some) for some in found] == sorted(max(some) for some in found)
    assert list(islice(_near_first([[0], [0]]), 3)) == [(0, 0)]
    assert list(_near_first([[], [0]])) == []


FOREVER = "(define-fun-rec f ((n Int)) Int (f (+ n 1)))"
COUNT = "(define-fun-rec f ((n Int)) Int (ite (<= n 0) 0 (+ 1 (f (- n 1)))))"


def test_recursion_that_does_not_matter_costs_little() -> None:
    """The steps do not suffice for the deepest recursion, and need not."""
    for formula in ("(and (= (f 0) 1) false)", "(and false (= (f 0) 1))"):
        assert says(formula, declarations=FOREVER, steps=3_000) is False
    assert says("(or (= (f 0) 1) (> (f 3) 2) true)", declarations=FOREVER, steps=3_000) is True
    assert "too deep" in str(says("(= (f 0) 1)", declarations=FOREVER))


@pytest.mark.parametrize("depth", [40, 60, 900, 1_100, 19_000])
def test_fuel_grows_until_it_suffices(depth: int) -> None:
    assert says(f"(= (f {depth}) {depth})", declarations=COUNT) is True
    assert says(f"(= (f {depth}) 0)", declarations=COUNT) is False


def test_more_fuel_forgets_what_little_fuel_found() -> None:
    """The same call in two assertions, first where it does not matter, then where it does."""
    assert says("(and (or (= (f 100) 0) true) (= (f 100) 100))", declarations=COUNT) is True
