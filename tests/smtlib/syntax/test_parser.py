"""Parser: terms are read in one loop; what is open is found again when something is wrong."""

from __future__ import annotations

import pytest

from falsum.errors import ScriptError
from falsum.smtlib import print_term, read_script
from falsum.smtlib.syntax.reader import read_term
from falsum.smtlib.terms import Let, Quantifier

DECLARED = read_script(
    "(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))"
    "(declare-fun f (Int Bool) Int)(declare-const x Int)(declare-const p Bool)(declare-const l (List Int))"
)


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("(f (+ x 1) (not p))", "Int"),
        ("(let ((x p) (q x)) (and x (= q 2)))", "Bool"),  # both are bound at once: q is the outer x
        ("(let ((x 1)) (let ((x (= x 1))) x))", "Bool"),
        ("(exists ((x Bool) (k Int)) (and x (> k 0)))", "Bool"),
        ("((_ extract 3 0) #x0f)", "(_ BitVec 4)"),
        ("((as const (Array Int Bool)) p)", "(Array Int Bool)"),
        ("(as nil (List Bool))", "(List Bool)"),
        ("(match l ((nil 0) ((cons h t) (+ h x))))", "Int"),
        ("((_ is cons) l)", "Bool"),
        ("(! (> x 0) :named big :weight 2)", "Bool"),
        ("|x|", "Int"),
    ],
)
def test_every_form_of_a_term_is_read_and_printed_again(text: str, sort: str) -> None:
    term = read_term(text, DECLARED)
    assert str(term.sort) == sort
    assert read_term(print_term(term), DECLARED) is term


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("(f x x)", (1, 2), "f"),
        ("(f x\n   (+ l 1))", (2, 5), "+"),
        ("(and p\n  (let ((k 1)) k))", (1, 2), "and"),
        ("(let ((k 1)) (+ k\n  unknown))", (2, 3), "unknown"),
        ("(let ((k 1) (k 2)) k)", (1, 18), "twice"),
        ("(exists ((k Int)) k)", (1, 2), "exists"),
        ("(f x p", (1, 7), "end"),
        ("(match l ((nil 0)))", (1, 2), "cons"),
        ("((_ extract 9 0) #x0f)", (1, 2), "extract"),
    ],
)
def test_an_error_is_told_with_its_place(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(ScriptError) as error:
        read_term(text, DECLARED)
    assert message in error.value.message
    assert (error.value.line, error.value.column) == place


def test_a_name_means_what_it_did_before_once_its_binder_is_closed() -> None:
    term = read_term("(and (exists ((x Bool)) x) (let ((x true)) x) (> x 0))", DECLARED)
    first, second, third = term.args  # type: ignore[union-attr]
    assert isinstance(first, Quantifier)
    assert isinstance(second, Let)
    assert print_term(third) == "(> x 0)"


def test_nothing_is_kept_of_a_term_that_was_not_read_to_its_end() -> None:
    with pytest.raises(ScriptError):
        read_term("(let ((y 1)) (and y p))", DECLARED)
    with pytest.raises(ScriptError, match="y"):
        read_term("(> y 0)", DECLARED)


@pytest.mark.parametrize("opening", ["(not ", "(let ((q p)) ", "(exists ((k Int)) ", "(! ", "(and p "])
def test_depth_takes_no_stack(opening: str) -> None:
    closing = " :weight 1)" if opening == "(! " else ")"
    depth = 50_000
    term = read_term(opening * depth + "p" + closing * depth, DECLARED)
    assert str(term.sort) == "Bool"
