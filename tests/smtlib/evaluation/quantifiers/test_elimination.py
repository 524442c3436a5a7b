# ruff: noqa: E501  (a formula stands on one line)
"""Quantifiers over integers and reals with linear bodies."""

from __future__ import annotations

import pytest
from tests.smtlib.saying import says

from falsum.smtlib.evaluation.quantifiers import elimination
from falsum.smtlib.values.linear import AtomBudget

DECLARED = "(declare-const c Int) (declare-fun f (Int) Int) (declare-fun p (Int) Bool) (declare-const a (Array Int Int))"
MODEL = """((define-fun c () Int 5)
    (define-fun f ((x Int)) Int (ite (= x 3) 2 (ite (= x 4) 7 3)))
    (define-fun p ((x Int)) Bool (let ((y (+ x 1))) (>= y 0)))
    (define-fun a () (Array Int Int) (store ((as const (Array Int Int)) 1) 9 0)))"""
SAID: dict[str, bool | None] = {
    "(forall ((x Int)) (exists ((y Int)) (and (> y x) ((_ divisible 2) y))))": True,
    "(forall ((x Real)) (exists ((y Real)) (= (* 2.0 y) x)))": True,
    "(forall ((x Int)) (exists ((y Int)) (= (* 2 y) x)))": False,
    "(forall ((x Real) (y Real)) (=> (< x y) (exists ((z Real)) (< x z y))))": True,
    "(forall ((x Int) (y Int)) (=> (< x y) (exists ((z Int)) (< x z y))))": False,
    "(forall ((x Int)) (=> (>= x 0) (> (f x) 1)))": True,
    "(forall ((x Int)) (> (f (+ x 1)) 2))": False,
    "(exists ((x Int)) (= (f x) 7 (f (f x))))": False,
    "(exists ((x Int)) (and (= (f x) 7) (> x 3)))": True,
    "(forall ((x Int)) (= (p x) (> x (- 2))))": True,
    "(forall ((x Int)) (xor (p x) (< x (- 1))))": True,
    "(forall ((x Int)) (=> (> x c) (or (= x 9) (> (select a x) 0))))": True,
    "(forall ((x Int)) (> (select a x) 0))": False,
    "(forall ((x Int) (b Bool)) (= (ite b x (- x)) (ite (not b) (- x) x)))": True,
    "(forall ((x Int)) (let ((y (* 2 x))) (distinct y c)))": True,
    "(exists ((x Int) (y Int)) (= (+ (* 3 x) (* 5 y)) 7))": True,
    "(exists ((x Int) (y Int)) (= (+ (* 4 x) (* 6 y)) 7))": False,
    "(forall ((x Int)) (= x (+ (* 3 (div x 3)) (mod x 3))))": True,
    "(exists ((x Int)) (and (= (mod x 4) 3) (= (mod x 6) 2)))": False,
    "(forall ((x Int)) (=> (= (mod x (- 4)) 3) (distinct (div x 2) 4)))": True,
    "(exists ((x Int) (y Real)) (and (< y 0.5) (= (to_real x) (* 3.0 y)) (> x 0)))": True,
    "(forall ((x Int)) (= (* x x) (* x x x)))": False,
    "(forall ((x Int)) (>= (* x x) 0))": None,
    "(forall ((x Int)) (= (div x 0) 3))": None,
    "(forall ((s String)) (>= (str.len s) 0))": None,
}  # fmt: skip


@pytest.mark.parametrize("formula", SAID)
def test_said(formula: str) -> None:
    answer = says(formula, MODEL, DECLARED)
    assert (answer if isinstance(answer, bool) else None) is SAID[formula], answer


def test_deep_and_large_bodies_are_left_alone() -> None:
    deep = "x"
    for _ in range(5_000):
        deep = f"(+ 1 {deep})"
    assert isinstance(says(f"(forall ((x Int)) (= {deep} (+ x 5000)))"), str)


def test_recursive_functions_are_left_alone() -> None:
    declared = "(define-fun-rec g ((x Int)) Int (ite (= x 0) 0 (g (- x 1))))"
    assert isinstance(says("(forall ((x Int)) (= (g x) 0))", declarations=declared), str)


def test_elimination_keeps_to_the_steps_of_the_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    budgets = []

    def budget(atoms: int) -> AtomBudget:
        budgets.append(AtomBudget(atoms))
        return budgets[-1]

    monkeypatch.setattr(elimination, "AtomBudget", budget)
    formula = "(exists ((x Int) (y Int)) (= (+ (* 4 x) (* 6 y)) 7))"
    assert says(formula, steps=1_600) is False
    assert isinstance(says(formula, steps=100), str)
    assert [0 < one.atoms < 100 for one in budgets] == [True, False]
