"""Terms: shared, compared by identity, well-sorted by construction, gone when nobody holds them."""

from __future__ import annotations

import gc
from fractions import Fraction

import pytest

from falsum.errors import SortError
from falsum.smtlib import read_script
from falsum.smtlib.sorts import BOOL, INT, REAL, bitvec
from falsum.smtlib.terms import (
    Function,
    Head,
    MatchCase,
    Term,
    annotated,
    app,
    constant,
    let,
    match_,
    quantifier,
    shared_count,
    value,
    var,
)
from falsum.smtlib.theories import OPERATORS

X = constant(Function("x", (), INT))
P = constant(Function("p", (), BOOL))
ONE = value(INT, 1, "1")


def apply(name: str, *args: Term, indices: tuple[int, ...] = ()) -> Term:
    return app(Head(OPERATORS[name], indices), args)


def test_equal_terms_are_the_same_object() -> None:
    assert apply("+", X, ONE) is apply("+", X, ONE)
    assert apply("+", X, ONE) is not apply("+", ONE, X)
    assert var("x", INT) is var("x", INT)
    assert var("x", INT) is not var("x", REAL)
    assert let((var("v", INT),), (X,), ONE) is let((var("v", INT),), (X,), ONE)
    assert quantifier("forall", (var("v", INT),), P) is not quantifier("exists", (var("v", INT),), P)
    assert annotated(P, ()) is annotated(P, ())


def test_a_value_is_its_sort_its_payload_and_its_text() -> None:
    assert value(BOOL, True, "true") is not value(BOOL, 1, "true")
    assert value(INT, 1, "1") is not value(bitvec(1), 1, "1")
    assert value(REAL, Fraction(1), "1") is not value(INT, 1, "1")
    assert value(bitvec(4), 10, "#xA") is not value(bitvec(4), 10, "#b1010")


def test_a_bound_variable_is_not_a_constant() -> None:
    pair: tuple[Term, Term] = (var("x", INT), X)
    assert pair[0] is not pair[1]


def test_the_same_text_read_twice_is_the_same_term() -> None:
    text = "(declare-const x Int)(assert (let ((y (+ x 1))) (forall ((z Int)) (! (< x y z) :weight 1))))"
    assert read_script(text) == read_script(text)
    assert read_script(text).assertions[0] is read_script(text).assertions[0]


@pytest.mark.parametrize(
    ("name", "args", "indices"),
    [
        ("+", (P, X), ()),
        ("not", (), ()),
        ("not", (P, P), ()),
        ("ite", (P, X, P), ()),
        ("extract", (value(bitvec(2), 0, "#b00"),), (2, 0)),
        ("bvadd", (value(bitvec(2), 0, "#b00"), value(bitvec(3), 0, "#b000")), ()),
        ("str.len", (X,), ()),
    ],
)
def test_ill_sorted_terms_cannot_be_made(name: str, args: tuple[Term, ...], indices: tuple[int, ...]) -> None:
    with pytest.raises(SortError) as caught:
        apply(name, *args, indices=indices)
    assert caught.value.got == tuple(str(arg.sort) for arg in args)
    assert name in str(caught.value)


def test_ill_sorted_binders_cannot_be_made() -> None:
    with pytest.raises(SortError):
        quantifier("forall", (var("v", INT),), X)
    with pytest.raises(SortError):
        let((var("v", BOOL),), (X,), P)
    with pytest.raises(SortError):
        match_(X, ())
    with pytest.raises(SortError):
        match_(X, (MatchCase(None, (var("v", INT),), X), MatchCase(None, (var("v", INT),), P)))


def test_terms_nobody_holds_are_gone() -> None:
    def read() -> None:
        body = " ".join(f"(f{i} (+ x {i}) (ite p {i} x) (let ((y{i} {i})) y{i}))" for i in range(300))
        declared = "".join(f"(declare-fun f{i} (Int Int Int) Bool)" for i in range(300))
        read_script(f"(declare-const x Int)(declare-const p Bool){declared}(assert (and {body}))")

    read()
    gc.collect()
    before = shared_count()
    for _ in range(3):
        read()
    gc.collect()
    assert shared_count() <= before


def test_refused_scripts_leave_nothing() -> None:
    def refuse() -> None:
        with pytest.raises(Exception, match="unknown symbol"):
            read_script("(declare-fun gone (Int) Int)(assert (= (gone 4711) unknown))")

    refuse()
    gc.collect()
    before = shared_count()
    refuse()
    gc.collect()
    assert shared_count() <= before
