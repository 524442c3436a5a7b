"""What a Horn clause is, and what is none."""

from __future__ import annotations

import pytest

from falsum.smtlib import read_script
from falsum.smtlib.fragments.horn import is_horn

DECLARED = "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q (Int Int) Bool)(declare-fun r () Bool)"
HORN = [
    "true",
    "(p 3)",
    "(not r)",
    "(=> (p 3) false)",
    "(=> (p 3) r (p 4))",
    "(or (not (p 3)) (not r) (p 4))",
    "(not (and (p 3) r))",
    "(not (or (p 3) r))",
    "(and (p 3) (=> r (p 4)))",
    "(forall ((x Int)) (=> (and (p x) (> x 0)) (p (+ x 1))))",
    "(forall ((x Int)) (! (=> (p x) (q x x)) :pattern ((p x))))",
    "(forall ((x Int)) (forall ((y Int)) (=> (or (p x) (p y)) (q x y))))",
    "(forall ((x Int)) (let ((y (+ x 1))) (=> (p x) (p y))))",
    "(forall ((x Int)) (=> (let ((b (p x))) (and b b)) (> x 3)))",
    "(not (exists ((x Int)) (and (p x) (< x 0))))",
    "(=> (exists ((x Int)) (p x)) r)",
    "(forall ((x Int)) (=> (ite (> x 0) (= x 1) (= x 2)) (p x)))",
    "(! (p 3) :named fact)",
]
NOT_HORN = [
    "(or (p 3) r)",
    "(=> (not (p 3)) r)",
    "(forall ((x Int)) (=> (p x) (or (p (+ x 1)) (p (- x 1)))))",
    "(exists ((x Int)) (p x))",
    "(=> (forall ((x Int)) (p x)) r)",
    "(= (p 3) r)",
    "(xor r (p 1))",
    "(ite r (p 1) (p 2))",
    "(=> r (and (p 1) (p 2)))",
    "(distinct r (p 1))",
    "(p (ite r 1 2))",
    "(not (not (or r (p 1))))",
    "(not (=> (p 1) r))",
]


@pytest.mark.parametrize("formula", HORN)
def test_horn_clauses(formula: str) -> None:
    assert is_horn(read_script(f"{DECLARED}(assert {formula})(check-sat)"))


@pytest.mark.parametrize("formula", NOT_HORN)
def test_other_formulas(formula: str) -> None:
    assert not is_horn(read_script(f"{DECLARED}(assert {formula})(check-sat)"))


@pytest.mark.parametrize(
    ("declared", "holds"),
    [
        ("(declare-const x Int)", False),
        ("(declare-fun f (Int) Int)", False),
        ("(define-fun f ((x Int)) Int (+ x 1))", True),
        ("(define-fun b ((x Int)) Bool (p x))", False),
        ("(define-fun-rec b ((x Int)) Bool (p x))", False),
    ],
)
def test_only_predicates_are_declared(declared: str, *, holds: bool) -> None:
    assert is_horn(read_script(f"{DECLARED}{declared}(assert (p 3))(check-sat)")) is holds


def test_deep_formulas() -> None:
    formula = "(not " * 20_000 + "(p 3)" + ")" * 20_000
    assert is_horn(read_script(f"{DECLARED}(assert {formula})(check-sat)"))
