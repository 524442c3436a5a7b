"""Values and constants that may stand for any other term of their sort."""

from __future__ import annotations

import pytest

from falsum.reducer.outline import Outline
from falsum.reducer.simple_terms import SimpleTerms, operator_name
from falsum.smtlib import print_term, read_script, read_term
from falsum.smtlib.sorts import BOOL, INT, REAL, STRING, Sort, array

SCRIPT = read_script(
    """(declare-sort S 0)(declare-const s S)
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-const x Int)(declare-fun f (Int) Int)
(push 1)(declare-const y Int)(assert (= x y))(pop 1)
(assert (forall ((z Int)) (> (f z) x)))(declare-const late Int)(check-sat)"""
)
OUTLINE = Outline(SCRIPT)
INNER, OUTER = (place for place, node in enumerate(OUTLINE.nodes) if type(node).__name__ == "Assert")


@pytest.mark.parametrize(
    ("sort", "texts"),
    [
        (BOOL, ["false"]),
        (INT, ["0", "1"]),
        (REAL, ["0.0", "1.0"]),
        (STRING, ['""', '"0"']),
        (Sort("BitVec", (4,)), ["#x0", "#x1"]),
        (Sort("L"), ["nil"]),
        (Sort("S"), []),
        (array(INT, BOOL), ["((as const (Array Int Bool)) false)"]),
    ],
)
def test_the_simplest_values(sort: Sort, texts: list[str]) -> None:
    assert sorted(map(print_term, SimpleTerms(OUTLINE).values(sort))) == sorted(texts)


def test_constants_are_those_in_scope() -> None:
    terms = SimpleTerms(OUTLINE)
    assert [print_term(term) for term in terms.constants(INT, INNER + 1)] == ["y", "x"]
    assert [print_term(term) for term in terms.constants(INT, OUTER + 1)] == ["x"]
    assert [print_term(term) for term in terms.constants(Sort("S"), OUTER + 1)] == ["s"]


def test_a_leaf_has_no_arguments() -> None:
    terms = SimpleTerms(OUTLINE)
    assert [terms.leaf(sort, OUTER + 1) is not None for sort in (INT, Sort("S"))] == [True, True]
    assert terms.leaf(array(INT, BOOL), OUTER + 1) is None


def test_new_constants_have_names_of_their_own() -> None:
    terms = SimpleTerms(OUTLINE)
    names = {terms.fresh(INT).name for _ in range(3)}
    assert len(names) == 3
    assert names.isdisjoint({"x", "y", "z", "f", "s", "late", "nil", "cons", "head", "tail"})


@pytest.mark.parametrize(
    ("text", "name"), [("(+ x 1)", "+"), ("(- x)", "-"), ("x", ""), ("(f x)", ""), ("3", "")]
)
def test_the_operator_of_a_term(text: str, name: str) -> None:
    assert operator_name(read_term(text, SCRIPT)) == name
