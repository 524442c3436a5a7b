"""Payloads as terms, however deep they are."""

from __future__ import annotations

import pytest

from falsum.smtlib import print_term, read_script
from falsum.smtlib.evaluation.evaluator import payload_of
from falsum.smtlib.models.model import Model, bare_model
from falsum.smtlib.printing.values_as_terms import value_term
from falsum.smtlib.sorts import Sort
from falsum.smtlib.terms import App
from falsum.smtlib.values.elements import Constructed
from falsum.smtlib.walk import size

DECLARED = """
(declare-datatypes ((T 0) (P 2)) (
  ((leaf) (node (left T) (key Int) (right T))
   (both (one (P Int T))) (many (all (Array Int T))) (word (letters (Seq T))))
  (par (A B) ((pair (first A) (second B))))))
"""


def model() -> Model:
    return bare_model(read_script(DECLARED))


@pytest.mark.parametrize(
    "text",
    [
        "leaf",
        "(node leaf 1 (node leaf 2 leaf))",
        "(both ((as pair (P Int T)) 1 (node leaf (- 2) leaf)))",
        "(many (store ((as const (Array Int T)) leaf) 3 (node leaf 1 leaf)))",
        "(word (seq.++ (seq.unit leaf) (seq.unit (node leaf 1 leaf))))",
    ],
)
def test_a_value_is_written_as_it_is_read(text: str) -> None:
    script = read_script(f"{DECLARED}(assert (= leaf {text}))")
    equation = script.assertions[0]
    assert isinstance(equation, App)
    written = value_term(Sort("T"), payload_of(equation.args[1], model()), model().datatypes)
    assert written is not None
    assert print_term(written) == text


def test_deep_values() -> None:
    deep = Constructed("leaf")
    for _ in range(100_000):
        deep = Constructed("node", (deep, 1, Constructed("leaf")))
    written = value_term(Sort("T"), deep, model().datatypes)
    assert written is not None
    assert size(written) == 100_002  # of distinct terms


def test_what_is_shared_is_written_once() -> None:
    shared = Constructed("leaf")
    for _ in range(64):
        shared = Constructed("node", (shared, 1, shared))
    written = value_term(Sort("T"), shared, model().datatypes)
    assert isinstance(written, App)
    assert written.args[0] is written.args[2]
