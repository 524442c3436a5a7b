"""Branch distances: 0 where a formula holds, less the nearer a value is, combined by the connectives."""

from __future__ import annotations

from random import Random

import pytest

from falsum.smtlib import read_script
from falsum.smtlib.evaluation.evaluator import payload_of
from falsum.smtlib.evaluation.machine import Evaluation
from falsum.smtlib.models.model import Model
from falsum.smtlib.models.random_models import random_model
from falsum.smtlib.models.reader import read_model
from falsum.strategies.valfuzz.branch_distance import BranchDistance, branch_distance, sides_of

DECLARED = """(declare-fun x () Int)(declare-fun y () Int)(declare-fun r () Real)(declare-fun p () Bool)
(declare-fun v () (_ BitVec 8))(declare-fun s () String)
"""
VALUES = """(define-fun x () Int 3)(define-fun y () Int 10)(define-fun r () Real 0.5)
(define-fun p () Bool true)(define-fun v () (_ BitVec 8) #x0f)(define-fun s () String "abc")
"""
FORMULAS = (
    "(< x y)",
    "(= x y)",
    "(distinct x y 3)",
    "(and p (< y x))",
    "(or (not p) (= v #x10) (>= r 0.5))",
    "(=> p (bvult v #x01))",
    '(xor p (= s "abd") (< x y))',
    "(ite p (= x 4) (= x 3))",
    "(= p (= x 3) (< x 3))",
    '(! (not (= s "abc")) :named n)',
    "(let ((z (+ x 1))) (= z 4))",
)


def distance(formula: str, values: str = VALUES) -> BranchDistance:
    script = read_script(f"{DECLARED}(assert {formula})")
    return branch_distance(script.assertions[0], Evaluation(read_model(values, script), 1000))


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_distance_is_zero_exactly_where_the_formula_has_the_value(formula: str) -> None:
    script = read_script(f"{DECLARED}(assert {formula})")
    seen = set()
    for number in range(60):
        model = random_model(script, Random(number))
        if number % 2:
            fixed = read_model(VALUES, script).definitions
            model = Model({**model.definitions, **dict(list(fixed.items())[: number % 7])})
        term = script.assertions[0]
        holds = payload_of(term, model)
        found = branch_distance(term, Evaluation(model, 1000))
        assert (found.to_true == 0) is holds
        assert (found.to_false == 0) is not holds
        assert min(found) == 0
        seen.add(holds)
    assert seen


def test_nearer_values_have_smaller_distances() -> None:
    for near, far in (
        ("(= x 4)", "(= x 5)"),
        ("(> x 10)", "(> x 100000000000000000000000)"),
        ("(= x 1000000000000000000)", "(= x 1000000000000000000000)"),
        ("(= r 0.75)", "(= r 1.0)"),
        ("(bvugt v #x10)", "(bvugt v #xff)"),
        ('(= s "abd")', '(= s "xyz")'),
        ('(= s "ab")', '(= s "")'),
        ("(and p (= x 4))", "(and (not p) (= x 4))"),
        ("(or (= x 4) (= x 100))", "(or (= x 90) (= x 100))"),
    ):
        assert 0 < distance(near).to_true < distance(far).to_true
    assert 0 < distance("(< x 4)").to_false < distance("(< x 100)").to_false


def test_a_formula_without_a_value_is_far_from_both() -> None:
    assert distance("(= (/ r 0.0) 1.0)") == (1.0, 1.0)


def test_deep_formulas_need_no_recursion() -> None:
    deep = "(not " * 50_000 + "p" + ")" * 50_000
    assert distance(deep).to_true == 0


def test_sides_are_those_of_atoms() -> None:
    (term,) = read_script(f'{DECLARED}(assert (and (< x y) (or p (= s "a"))))').assertions
    assert [tuple(map(str, pair)) for pair in sides_of(term)] == [
        tuple(map(str, pair))
        for formula in ('(= s "a")', "(< x y)")
        for pair in sides_of(read_script(f"{DECLARED}(assert {formula})").assertions[0])
    ]
