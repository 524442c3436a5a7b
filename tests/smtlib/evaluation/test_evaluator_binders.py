# ruff: noqa: E501  (a formula stands on one line)
"""Quantifiers, lets, functions, recursion, sharing and depth."""

from __future__ import annotations

import time

import pytest
from tests.smtlib.saying import says

from falsum.smtlib.evaluation.evaluator import payload_of, truth
from falsum.smtlib.models.model import Model
from falsum.smtlib.sorts import BOOL, INT
from falsum.smtlib.terms import Head, Term, app, let, value, var
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.values.cannot_say import CannotSay

SAID: dict[str, bool | None] = {
    "(forall ((p Bool)) (or p (not p)))": True,
    "(exists ((p Bool)) (and p (not p)))": False,
    "(forall ((x (_ BitVec 4)) (y (_ BitVec 4))) (= (bvadd x y) (bvadd y x)))": True,
    "(exists ((x (_ BitVec 8))) (= (bvmul x x) #x31))": True,
    "(forall ((x Int)) (distinct x 5))": False,
    "(exists ((x Int)) (= x 5))": True,
    "(forall ((x Int)) (= x x))": True,
    "(exists ((x Int)) (< x x))": False,
    "(forall ((x Int) (p Bool)) (or p (not p)))": True,
    "(forall ((x Int)) (= (* x x) (* x x)))": None,
    "(exists ((x Int)) (< (* x x) 0))": None,
    "(forall ((a (Array Bool Bool))) (= a (store (store a true (select a true)) false (select a false))))": True,
    "(exists ((r RoundingMode)) (= r RTZ))": True,
    "(forall ((x (_ FloatingPoint 2 3))) (=> (fp.isNaN x) (= x (_ NaN 2 3))))": True,
    "(let ((x 1)) (let ((x (+ x 1)) (y x)) (and (= x 2) (= y 1))))": True,
    "(let ((x 1)) (and (let ((x 2)) (= x 2)) (= x 1)))": True,
    "(forall ((x Bool)) (let ((y x)) (exists ((x Bool)) (distinct x y))))": True,
    "(forall ((x Bool)) (exists ((y Bool)) (forall ((x Bool)) (= y y))))": True,
    "(let ((f (lambda ((x Int)) (+ x 1)))) (= (f (f 1)) 3))": True,
    "(let ((x 5)) (let ((f (lambda ((y Int)) (+ x y)))) (let ((x 7)) (and (= (f 1) 6) (= (+ x 1) 8)))))": True,
    "(= ((lambda ((x Int) (y Int)) (- x y)) 5 3) 2)": True,
    "(= (lambda ((x Int)) (ite (= x 1) 2 3)) (lambda ((y Int)) (ite (distinct y 1) 3 2)))": True,
    "(= (lambda ((x Int)) (ite (= x 1) 2 3)) (lambda ((y Int)) (ite (= y 4) 2 3)))": False,
    "(= (lambda ((x Int)) (+ x 1)) (lambda ((y Int)) (+ 1 y)))": None,
    "(= (lambda ((x Int)) (+ x 1)) (lambda ((y Int)) (+ 2 y)))": False,
    "(= (lambda ((p Bool)) (not p)) (lambda ((q Bool)) (= q false)))": True,
}


@pytest.mark.parametrize("formula", SAID)
def test_said(formula: str) -> None:
    answer = says(formula)
    assert (answer if isinstance(answer, bool) else None) is SAID[formula]


DATATYPES = """
    (declare-datatypes ((List 1)) ((par (X) ((nil) (cons (head X) (tail (List X)))))))
    (declare-datatypes ((Tree 0) (Forest 0)) (((node (below Forest))) ((none) (more (first Tree) (rest Forest)))))
    (declare-datatypes ((Colour 0)) (((red) (green) (blue))))
    (define-fun-rec length ((l (List Int))) Int (match l ((nil 0) ((cons h t) (+ 1 (length t))))))
    (define-funs-rec ((size ((t Tree)) Int) (sizes ((f Forest)) Int))
      ((+ 1 (sizes (below t))) (ite ((_ is none) f) 0 (+ (size (first f)) (sizes (rest f))))))
    (define-fun one () (List Int) (cons 1 (as nil (List Int))))
"""  # fmt: skip
ABOUT_DATATYPES = {
    "(= (length one) 1)": True,
    "(= (length (cons 4 one)) 2)": True,
    "(= (head (cons 4 one)) 4)": True,
    "(distinct one (tail (cons 4 (as nil (List Int)))))": True,
    "((_ is nil) (tail one))": True,
    "(is-cons one)": True,
    "(= ((_ update head) one 7) (cons 7 (as nil (List Int))))": True,
    "(= ((_ update head) (tail one) 7) (as nil (List Int)))": True,
    "(= (size (node (more (node none) (more (node none) none)))) 3)": True,
    "(forall ((c Colour)) (or (= c red) (= c green) (= c blue)))": True,
    "(forall ((c Colour)) (or (= c red) (= c green)))": False,
    "(= (match one ((nil 0) (x (head x)))) 1)": True,
    "(= (match one (((cons h t) (match t ((nil h) ((cons h t) 0)))) (nil 5))) 1)": True,
}


@pytest.mark.parametrize("formula", ABOUT_DATATYPES)
def test_datatypes(formula: str) -> None:
    assert says(formula, declarations=DATATYPES) is ABOUT_DATATYPES[formula]


def test_subterms() -> None:
    declared = "(declare-datatype Nat ((zero) (succ (prev Nat))) :subterm is-part)"
    assert says("(is-part zero (succ (succ zero)))", declarations=declared) is True
    assert says("(is-part (succ zero) (succ zero))", declarations=declared) is True
    assert says("(is-part (succ zero) zero)", declarations=declared) is False


def test_universes() -> None:
    declared = "(declare-sort S 0) (declare-const a S) (declare-fun f (S) S)"
    model = """((declare-fun S!val!0 () S) (declare-fun S!val!1 () S)
                (forall ((x S)) (or (= x S!val!0) (= x S!val!1)))
                (define-fun a () S S!val!0)
                (define-fun f ((x S)) S (ite (= x S!val!0) S!val!1 S!val!0)))"""
    assert says("(forall ((x S)) (and (= (f (f x)) x) (distinct (f x) x)))", model, declared) is True
    assert says("(exists ((x S)) (and (distinct x a) (= (f x) x)))", model, declared) is False
    assert says("(forall ((x S)) (= x a))", model, declared) is False


def test_elements_nobody_listed_do_not_exist() -> None:
    declared = "(declare-sort S 0) (declare-const a S) (declare-const b S)"
    model = "((define-fun a () S (as @a S)) (define-fun b () S (as @b S)))"
    assert isinstance(says("(forall ((x S)) (or (= x a) (= x b)))", model, declared), str)
    assert says("(exists ((x S)) (distinct x a))", model, declared) is True


def test_recursion_ends() -> None:
    declared = "(define-fun-rec f ((x Int)) Int (f (+ x 1)))"
    assert isinstance(says("(= (f 0) 0)", declarations=declared), str)
    declared = "(define-fun-rec f ((x Int)) Int (ite (<= x 0) 0 (+ 1 (f (- x 1)))))"
    assert says("(= (f 10000) 10000)", declarations=declared) is True
    declared = "(define-fun-rec fib ((x Int)) Int (ite (< x 2) x (+ (fib (- x 1)) (fib (- x 2)))))"
    assert says("(= (fib 90) 2880067194370816120)", declarations=declared) is True


def test_closures_do_not_keep_old_bindings_alive() -> None:
    formula = """(let ((f (let ((x 1)) (let ((y (+ x 1))) (lambda ((z Int)) (+ x y z))))))
                   (let ((first (f 0)))
                     (let ((x 10)) (let ((y (+ x 1))) (and (= first 3) (= y 11) (= (f 1) 4) (= (+ x y) 21))))))"""
    assert says(formula) is True


# -- sharing and depth -------------------------------------------------------------------------------

_PLUS, _AND, _NOT = (Head(OPERATORS[name]) for name in ("+", "and", "not"))
_MINUS, _EQUALS = Head(OPERATORS["-"]), Head(OPERATORS["="])


def _number(number: int) -> Term:
    return value(INT, number, str(number))


def _doubled(depth: int) -> Term:
    term: Term = _number(1)
    for number in range(depth):
        term = app(_MINUS, (app(_PLUS, (term, term)), _number(number)))
    return term


def test_shared_terms_are_evaluated_once() -> None:
    model = Model()
    spent = []
    for depth in (2_500, 10_000):
        term = app(_EQUALS, (app(_MINUS, (_doubled(depth), _doubled(depth))), _number(0)))
        start = time.process_time()
        assert truth(term, model) is True
        spent.append(time.process_time() - start)
    # Numbers get longer, too; a tree of that depth would never end.
    assert spent[1] < 40 * spent[0] + 1


def test_shared_lets_are_evaluated_once() -> None:
    body: Term = app(_EQUALS, (var("x0", INT), _number(1)))
    for number in range(5_000):
        outer = var(f"x{number + 1}", INT)
        half = app(_MINUS, (app(_PLUS, (outer, outer)), outer))
        body = let((var(f"x{number}", INT),), (half,), body)
    term = let((var("x5000", INT),), (_number(1),), body)
    assert truth(term, Model()) is True


def test_nesting_of_100_000() -> None:
    model = Model()
    term: Term = value(BOOL, payload=True, text="true")
    for _ in range(100_000):
        term = app(_NOT, (term,))
    assert truth(term, model) is True
    for _ in range(100_000):
        term = app(_AND, (term, value(BOOL, payload=True, text="true")))
    assert truth(term, model) is True


def test_steps_are_a_budget() -> None:
    assert isinstance(payload_of(_doubled(1_000), Model(), steps=100), CannotSay)
    assert "steps" in str(says("(forall ((x (_ BitVec 12))) (= (bvmul x x x) (bvmul x x x)))", steps=5_000))


def test_long_values() -> None:
    declared = "(declare-datatypes ((L 0)) (((nil) (cons (tail L)))))"
    term = "nil"
    for _ in range(3_000):
        term = f"(cons {term})"
    assert says(f"(= {term} {term})", declarations=declared) is True
    assert says(f"(= {term} (cons {term}))", declarations=declared) is False
