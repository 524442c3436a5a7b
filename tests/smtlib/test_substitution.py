# ruff: noqa: E501  (a formula stands on one line)
"""Substitution: free variables are replaced, none is captured."""

from __future__ import annotations

import pytest

from falsum.smtlib import print_term, read_script
from falsum.smtlib.evaluation.evaluator import truth
from falsum.smtlib.models.model import Model
from falsum.smtlib.sorts import BOOL, INT
from falsum.smtlib.substitution import fresh, rename_binders, substitute, symbols_in, without_lets
from falsum.smtlib.terms import Head, Quantifier, Term, app, value, var
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.walk import size

DECLARED = """
    (declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
    (declare-const c Int) (declare-const l L) (declare-fun f (Int) Int) (declare-const a Int)
"""
X = var("x", INT)


def body(text: str) -> Term:
    """The formula, in which x is free."""
    quantified = read_script(f"{DECLARED}(assert (forall ((x Int)) {text}))").assertions[0]
    assert isinstance(quantified, Quantifier)
    return quantified.body


def term(text: str, variables: str = "") -> Term:
    """A term of sort Int in which some variables are free."""
    binders = " ".join(f"({name} Int)" for name in ("x", *variables.split()))
    quantified = read_script(f"{DECLARED}(assert (forall ({binders}) (= {text} 0)))").assertions[0]
    assert isinstance(quantified, Quantifier)
    return quantified.body.args[0]  # type: ignore[union-attr]  # an application


# What stands for x, in what, and what it gives.
CASES = [
    ("5", "(= x 1)", "(= 5 1)"),
    ("5", "(forall ((x Int)) (= x 1))", "(forall ((x Int)) (= x 1))"),
    ("5", "(forall ((y Int)) (= x y))", "(forall ((y Int)) (= 5 y))"),
    ("y", "(forall ((y Int)) (= x y))", "(forall ((y!1 Int)) (= y y!1))"),
    ("y", "(forall ((y Int) (z Int)) (= x y z))", "(forall ((y!1 Int) (z Int)) (= y y!1 z))"),
    ("(f y)", "(exists ((y Int)) (forall ((y Int)) (= x y)))", "(exists ((y!1 Int)) (forall ((y!1 Int)) (= (f y) y!1)))"),
    ("(+ x 1)", "(let ((x x)) (= x 1))", "(let ((x!1 (+ x 1))) (= x!1 1))"),
    ("y", "(let ((y 1) (z x)) (= x y z))", "(let ((y!1 1) (z y)) (= y y!1 z))"),
    ("y", "(= (match l ((nil x) ((cons y z) (+ x y)))) x)", "(= (match l ((nil y) ((cons y!1 z) (+ y y!1)))) y)"),
    ("y", "(= ((lambda ((y Int)) (+ x y)) x) 1)", "(= ((lambda ((y!1 Int)) (+ y y!1)) y) 1)"),
    # A declared symbol must not come under a binder of its name.
    ("(+ c 1)", "(forall ((c Int)) (= x c))", "(forall ((c!1 Int)) (= (+ c 1) c!1))"),
    ("(f 1)", "(forall ((f Int)) (= x f))", "(forall ((f!1 Int)) (= (f 1) f!1))"),
    ("y", "(forall ((y Int) (y!1 Int)) (= x y y!1))", "(forall ((y!2 Int) (y!1 Int)) (= y y!2 y!1))"),
    ("y", "(! (= x 1) :named n)", "(! (= y 1) :named n)"),
    ("y", "(forall ((z Int)) (! (= (f x) z) :pattern ((f x) z)))",
     "(forall ((z Int)) (! (= (f y) z) :pattern ((f y) z)))"),
]  # fmt: skip


@pytest.mark.parametrize(("new", "text", "expected"), CASES)
def test_substitute(new: str, text: str, expected: str) -> None:
    assert print_term(substitute(body(text), {X: term(new, "y")})) == expected


def test_all_at_once() -> None:
    y = var("y", INT)
    equals = app(Head(OPERATORS["="]), (X, y))
    assert print_term(substitute(equals, {X: y, y: X})) == "(= y x)"


def test_nothing_to_replace_gives_the_same_term() -> None:
    same = body("(forall ((y Int)) (= y 1))")
    assert substitute(same, {X: term("5")}) is same
    assert substitute(body("(= x 1)"), {X: X}) is body("(= x 1)")


def test_the_meaning_stays() -> None:
    """Renaming binders changes no truth."""
    formula = read_script(
        "(assert (forall ((p Bool)) (exists ((q Bool)) (let ((p (not q))) (distinct p q)))))"
    )
    renamed = rename_binders(formula.assertions[0], frozenset(["p", "q"]))
    assert (
        print_term(renamed)
        == "(forall ((p!1 Bool)) (exists ((q!1 Bool)) (let ((p!1 (not q!1))) (distinct p!1 q!1))))"
    )
    assert truth(renamed, Model()) is truth(formula.assertions[0], Model()) is True


def test_symbols_in() -> None:
    assert symbols_in(term("(+ (f y) c)", "y")) == {"y", "f", "c"}
    assert symbols_in(body("(forall ((y Int)) (= y 1))")) == frozenset()


def test_fresh() -> None:
    assert fresh("x", []) == "x"
    assert fresh("x", ["x"]) == "x!1"
    assert fresh("x", ["x", "x!1"]) == "x!2"


def test_deep_and_shared() -> None:
    negation, conjunction = Head(OPERATORS["not"]), Head(OPERATORS["and"])
    p = var("p", BOOL)
    deep: Term = p
    for _ in range(100_000):
        deep = app(negation, (deep,))
    true = value(BOOL, payload=True, text="true")
    assert truth(substitute(deep, {p: true}), Model()) is True
    shared: Term = p
    for _ in range(2_000):
        shared = app(conjunction, (shared, shared))
    assert truth(substitute(shared, {p: true}), Model()) is True


LETS = [
    ("(let ((p q)) (and p q))", "(and q q)"),
    ("(let ((p q) (q p)) (and p q))", "(and q p)"),
    ("(let ((p (not p))) (let ((p (not p))) p))", "(not (not p))"),
    ("(let ((p q)) (exists ((p Bool)) (and p q)))", "(exists ((p Bool)) (and p q))"),
    ("(let ((p q)) (exists ((q Bool)) (and p q)))", "(exists ((q!1 Bool)) (and q q!1))"),
    ("(not (let ((p (let ((q p)) (or q q)))) (and p q)))", "(not (and (or p p) q))"),
]


@pytest.mark.parametrize(("text", "expected"), LETS)
def test_without_lets(text: str, expected: str) -> None:
    script = read_script(f"(declare-const a Bool)(assert (exists ((p Bool) (q Bool)) {text}))")
    (assertion,) = script.assertions
    assert isinstance(assertion, Quantifier)
    assert print_term(without_lets(assertion.body)) == expected


def test_a_chain_of_lets_takes_no_longer_than_its_parts() -> None:
    """Each let was once put into all that is inside of it."""
    opening = "".join(f"(let ((v{n + 1} (and v{n} v{n}))) " for n in range(20_000))
    script = read_script(f"(declare-const v0 Bool)(assert {opening}v20000{')' * 20_000})")
    (assertion,) = script.assertions
    assert size(without_lets(assertion)) == 20_001
