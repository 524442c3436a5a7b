"""What may replace a term of a linear logic: whatever leaves one factor of each product a numeral."""

from __future__ import annotations

import pytest

from falsum.smtlib import print_term, read_script
from falsum.smtlib.logics import logic_of
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.terms import Term
from falsum.strategies.growth.linearity import Linearity

DECLARED = "(set-logic QF_LIRA)(declare-fun x () Int)(declare-fun y () Int)(declare-fun r () Real)"


def laid(formula: str) -> Layout:
    return Layout.of(read_script(f"{DECLARED}(assert {formula})"))


def term(text: str) -> Term:
    (formula,) = read_script(f"{DECLARED}(assert (= {text} {text}))").assertions
    return formula.args[0]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("formula", "old", "new", "linear"),
    [
        ("(< (* 3 x) 7)", "x", "(+ x y)", True),
        ("(< (* 3 x) 7)", "3", "(- 5)", True),
        ("(< (* 3 x) 7)", "3", "y", False),
        ("(< (* 3 (+ x 1)) 7)", "1", "y", True),
        ("(< (* (- 3) x) 7)", "3", "4", True),
        ("(< (* (- 3) x) 7)", "3", "y", False),
        ("(< (* (- (- 3)) x) 7)", "3", "y", False),
        ("(< (* (- x) 3) 7)", "x", "(* 2 y)", True),
        ("(< (div x 3) 7)", "3", "0", False),
        ("(< (div x 3) 7)", "3", "5", True),
        ("(< (div x 3) 7)", "x", "(mod y 2)", True),
        # What a let binds to a number may be a factor, here and behind another name.
        ("(let ((k 3)) (< (* k x) 7))", "3", "y", False),
        ("(let ((k 3)) (let ((j (- k))) (< (* j x) 7)))", "3", "y", False),
        ("(let ((k 3)) (< (* k (+ x 1)) 7))", "1", "y", False),
        ("(let ((k 3)) (< (* k x) 7))", "7", "y", True),
        ("(let ((v x)) (< (* 3 v) 7))", "x", "(+ x y)", True),
    ],
)
def test_a_replacement_is_linear_or_not(formula: str, old: str, new: str, linear: bool) -> None:
    layout = laid(formula)
    known = Linearity(layout, logic_of("QF_LIRA"))
    place = next(n for n, place in enumerate(layout.places) if print_term(place.term) == old)
    assert known.keeps(layout, place, term(new)) is linear
    # Where any term fits, this one does.
    assert linear or known.binds(layout, place)
    assert Linearity(layout, logic_of("QF_NIRA")).keeps(layout, place, term(new))
