"""Occurrences: places in a term."""

from __future__ import annotations

import pytest

from falsum.smtlib import print_term, read_script
from falsum.smtlib.occurrences import Occurrence, Polarity, occurrences
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.terms import Head, Quantifier, Term, app, value
from falsum.smtlib.theories import OPERATORS

DECLARED = """
    (declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
    (declare-const p Bool) (declare-const q Bool) (declare-const l L) (declare-fun f (Bool) Bool)
"""
TRUE = value(BOOL, payload=True, text="true")


def formula(text: str) -> Term:
    return read_script(f"{DECLARED}(assert {text})").assertions[0]


def places(text: str, wanted: str) -> list[Occurrence]:
    return [place for place in occurrences(formula(text)) if print_term(place.term) == wanted]


POLARITY = {
    "p": Polarity.POSITIVE,
    "(not p)": Polarity.NEGATIVE,
    "(not (not p))": Polarity.POSITIVE,
    "(and q p)": Polarity.POSITIVE,
    "(or (not p) q)": Polarity.NEGATIVE,
    "(=> p q)": Polarity.NEGATIVE,
    "(=> q p)": Polarity.POSITIVE,
    "(=> q p q)": Polarity.NEGATIVE,
    "(implies p q)": Polarity.NEGATIVE,
    "(ite p q q)": Polarity.BOTH,
    "(ite q p q)": Polarity.POSITIVE,
    "(= p q)": Polarity.BOTH,
    "(xor q p)": Polarity.BOTH,
    "(f p)": Polarity.BOTH,
    "(forall ((x Int)) p)": Polarity.POSITIVE,
    "(not (exists ((x Int)) p))": Polarity.NEGATIVE,
    "(let ((x p)) q)": Polarity.BOTH,
    "(let ((x q)) p)": Polarity.POSITIVE,
    "(match l ((nil p) ((cons h t) q)))": Polarity.POSITIVE,
    "(! p :named n)": Polarity.POSITIVE,
}


@pytest.mark.parametrize("text", POLARITY)
def test_polarity(text: str) -> None:
    (place,) = places(text, "p")
    assert place.polarity is POLARITY[text]


def test_outermost_first_and_shared_terms_as_often_as_they_are_written() -> None:
    found = [print_term(place.term) for place in occurrences(formula("(and (or p q) (or p q))"))]
    assert found == ["(and (or p q) (or p q))", "(or p q)", "p", "q", "(or p q)", "p", "q"]


def test_enter_refuses() -> None:
    term = formula("(and p (forall ((x Int)) q))")
    found = [print_term(o.term) for o in occurrences(term, lambda t: not isinstance(t, Quantifier))]
    assert found == ["(and p (forall ((x Int)) q))", "p", "(forall ((x Int)) q)"]


def test_replaced_changes_one_place() -> None:
    second = places("(and (or p q) (or p q))", "p")[1]
    assert print_term(second.replaced(TRUE)) == "(and (or p q) (or true q))"
    assert second.path == (1, 0)
    assert second.replaced(second.term) is formula("(and (or p q) (or p q))")


def test_binders_in_scope() -> None:
    (place,) = places(
        "(forall ((x Int) (y Int)) (let ((x q) (z p)) (exists ((w Bool)) (and x w))))", "(and x w)"
    )
    assert [(binder.name, str(binder.sort)) for binder in place.binders] == [
        ("x", "Bool"),
        ("y", "Int"),
        ("z", "Bool"),
        ("w", "Bool"),
    ]
    (value_place,) = places("(forall ((x Int)) (let ((y p)) y))", "p")
    assert [binder.name for binder in value_place.binders] == ["x"]


def test_replaced_costs_the_path_only() -> None:
    """A wide term is rebuilt at one node, its other children untouched."""
    conjunction, negation = Head(OPERATORS["and"]), Head(OPERATORS["not"])
    deep: Term = formula("p")
    for _ in range(20_000):
        deep = app(negation, (deep,))
    term = app(conjunction, (deep, formula("q")))
    place = Occurrence(formula("q"), Occurrence(term), 1)
    changed = place.replaced(TRUE)
    assert changed.args[0] is deep  # type: ignore[union-attr]  # it is an application


def test_deep_places() -> None:
    negation = Head(OPERATORS["not"])
    term: Term = formula("p")
    for _ in range(100_000):
        term = app(negation, (term,))
    *_, last = occurrences(term)
    assert len(last.path) == 100_000
    assert last.polarity is Polarity.POSITIVE
