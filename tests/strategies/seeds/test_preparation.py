"""Declarations are put in front, also where a name is declared more than once."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from falsum.smtlib import print_script, read_script
from falsum.strategies import BY_NAME, Seed
from falsum.strategies.seeds import front_length, prepare

LEVELS = """(set-logic QF_LIA)
(push 1)
(declare-fun x () Int)
(assert (< x 0))
(check-sat)
(pop 1)
(push 1)
(declare-fun x () Int)
(assert (> x 5))
(check-sat)
(pop 1)
(declare-fun x () Bool)
(declare-fun x (Int) Int)
(assert (and x (< (x 2) 3)))
(check-sat)
"""


def prepared(text: str) -> str:
    script = prepare(read_script(text))
    assert script is not None
    return print_script(script)


def test_a_name_is_declared_once() -> None:
    text = prepared(LEVELS)
    assert text.count("(declare-fun x () Int)") == 1
    assert "(assert (and x!1 (< (x!2 2) 3)))" in text
    assert text.index("(declare-fun x!2 (Int) Int)") < text.index("(push 1)")


def test_a_new_name_is_not_captured() -> None:
    text = """(push 1)(declare-fun x () Int)(assert (= x 1))(check-sat)(pop 1)
(declare-fun x () Bool)(assert (forall ((x!1 Bool)) (= x x!1)))(check-sat)"""
    assert "(forall ((x!1 Bool)) (= x!2 x!1))" in prepared(text)


def test_a_function_may_have_the_name_of_a_sort() -> None:
    text = "(declare-sort u 0)(declare-fun u () u)(define-fun v () u u)(assert (= u v))(check-sat)"
    assert "(declare-fun u () u)" in prepared(text)


def test_a_name_that_is_defined_twice_is_refused() -> None:
    text = "(push 1)(define-fun f () Int 1)(pop 1)(push 1)(define-fun f () Int 2)(assert (= f 2))(check-sat)"
    assert prepare(read_script(text)) is None


def test_resets() -> None:
    assert prepared("(assert true)(reset)(assert false)(check-sat)(reset)(check-sat)").split() == [
        "(assert",
        "false)",
        "(check-sat)",
    ]
    text = prepared("(declare-fun p () Bool)(assert p)(check-sat)(reset-assertions)(check-sat)")
    assert text.startswith("(set-option :global-declarations true)")


@pytest.mark.parametrize("name", ["typefuzz", "opfuzz", "fuzzchick", "rewrite", "sparrow", "storm", "pivot"])
def test_seeds_that_declare_a_name_twice_have_mutants(name: str) -> None:
    mutants = list(islice(BY_NAME[name].mutants([Seed("levels", LEVELS)], Random(1), None), 5))
    assert mutants
    for mutant in mutants:
        read_script(mutant.text)


def test_declarations_come_first_and_the_status_is_dropped() -> None:
    script = prepare(
        read_script("""
        (set-logic QF_IDL)(set-info :status sat)(declare-fun x () Int)
        (assert (< x 3))(declare-fun y () Int)(define-fun f () Int x)(assert (< x y))(check-sat)
        """)
    )
    assert script is not None
    text = print_script(script)
    assert text.splitlines() == [
        "(set-logic QF_LIA)",
        "(declare-fun x () Int)",
        "(declare-fun y () Int)",
        "(assert (< x 3))",
        "(define-fun f () Int x)",
        "(assert (< x y))",
        "(check-sat)",
    ]
    assert text[front_length(script) :].startswith("(assert (< x 3))")
