"""Walks over terms."""

from __future__ import annotations

import pytest

from falsum.smtlib import print_term, read_script
from falsum.smtlib.sorts import BOOL, INT
from falsum.smtlib.terms import Head, Term, Value, app, value, var
from falsum.smtlib.theories import OPERATORS
from falsum.smtlib.walk import binders_at, children, free_variables, rebuild, size, subterms, transform

DECLARED = """
    (declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
    (declare-const x Int) (declare-const l L) (declare-fun f (Int) Int)
"""
SHAPES = [
    "(= (f x) (+ x 1))",
    "(forall ((y Int)) (> y x))",
    "(let ((y x) (z 1)) (= y z))",
    "(= ((lambda ((y Int)) (f y)) 1) 2)",
    "(= (match l ((nil 0) ((cons h t) (+ h x)))) 3)",
    "(! (= x 1) :named n)",
    "(forall ((y Int)) (! (= (f y) 1) :pattern ((f y))))",
    "true",
]


def formula(text: str) -> Term:
    return read_script(f"{DECLARED}(assert {text})").assertions[0]


@pytest.mark.parametrize("text", SHAPES)
def test_rebuilt_from_its_own_parts_a_term_is_itself(text: str) -> None:
    for part in subterms(formula(text)):
        assert rebuild(part, children(part)) is part


@pytest.mark.parametrize("text", SHAPES)
def test_transform_that_changes_nothing_gives_the_same(text: str) -> None:
    term = formula(text)
    assert transform(term, lambda _: None) is term


def test_transform_goes_innermost_first_and_once() -> None:
    seen: list[str] = []

    def change(term: Term) -> Term | None:
        seen.append(print_term(term))
        return value(INT, 7, "7") if isinstance(term, Value) and term.payload == 1 else None

    changed = transform(formula("(= (+ 1 2) (+ 1 2) (f 1))"), change)
    assert print_term(changed) == "(= (+ 7 2) (+ 7 2) (f 7))"
    assert seen.count("1") == 1
    assert seen.count("(+ 7 2)") == 1


def test_subterms_are_distinct_and_a_term_stands_before_its_parts() -> None:
    term = formula("(= (+ x x) (+ x x) (f x))")
    found = [print_term(part) for part in subterms(term)]
    assert found == ["(= (+ x x) (+ x x) (f x))", "(+ x x)", "x", "(f x)"]
    assert size(term) == 4


def test_binders_are_those_of_the_child() -> None:
    let = formula("(let ((y x) (z 1)) (= y z))")
    assert [[b.name for b in binders_at(let, slot)] for slot in range(3)] == [[], [], ["y", "z"]]
    match = children(formula("(= (match l ((nil 0) ((cons h t) (+ h x)))) 3)"))[0]
    assert [[b.name for b in binders_at(match, slot)] for slot in range(3)] == [[], [], ["h", "t"]]


def test_free_variables() -> None:
    y, z = var("y", INT), var("z", INT)
    equals = Head(OPERATORS["="])
    body = app(equals, (y, z))
    assert free_variables(body) == {y, z}
    quantified = formula("(forall ((y Int)) (exists ((z Int)) (= y z)))")
    assert free_variables(quantified) == frozenset()
    assert free_variables(children(quantified)[0]) == {y}
    shadowed = formula("(forall ((y Int)) (let ((y (+ y 1))) (= y 1)))")
    assert free_variables(children(shadowed)[0]) == {y}


def test_deep_terms() -> None:
    term: Term = value(BOOL, payload=True, text="true")
    negation = Head(OPERATORS["not"])
    for _ in range(100_000):
        term = app(negation, (term,))
    assert size(term) == 100_001
    assert free_variables(term) == frozenset()
    assert transform(term, lambda _: None) is term


def test_shared_terms_cost_once() -> None:
    term: Term = formula("(= x 1)")
    conjunction = Head(OPERATORS["and"])
    for _ in range(2_000):
        term = app(conjunction, (term, term))
    assert size(term) == 2_003
