"""flatten: a seed at its last check."""

from __future__ import annotations

import pytest

from falsum.smtlib import print_script, read_script
from falsum.smtlib.walk import size
from falsum.strategies.seeds import flatten


def flat(text: str) -> str:
    script = flatten(read_script(text))
    assert script is not None
    return " ".join(print_script(script).split())


def test_popped_assertions_are_dropped_and_declarations_stay() -> None:
    text = """
        (declare-fun x () Int)(assert (> x 0))
        (push 1)(declare-fun y () Int)(assert (< x y))(check-sat)(pop 1)
        (check-sat)
    """
    assert flat(text) == "(declare-fun x () Int) (declare-fun y () Int) (assert (> x 0)) (check-sat)"


def test_assumptions_are_asserted() -> None:
    text = "(declare-fun p () Bool)(assert (or p (not p)))(check-sat-assuming ((not p)))"
    assert flat(text).endswith("(assert (or p (not p))) (assert (not p)) (check-sat)")


def test_names_of_terms_are_resolved() -> None:
    text = "(declare-fun x () Int)(assert (! (> x 3) :named big))(assert (=> big (< x 5)))(check-sat)"
    assert "(assert (=> (> x 3) (< x 5)))" in flat(text)


def test_a_definition_moves_in_front_of_the_names_it_uses() -> None:
    text = (
        "(declare-fun x () Int)(assert (! (> x 3) :named big))(define-fun f () Bool big)(assert f)(check-sat)"
    )
    assert "(define-fun f () Bool (> x 3)) (assert (> x 3))" in flat(text)


def test_a_long_chain_of_names() -> None:
    chain = "".join(f"(assert (! (or n{i} x) :named n{i + 1}))" for i in range(2000))
    script = flatten(read_script(f"(declare-fun x () Bool)(assert (! x :named n0)){chain}(check-sat)"))
    assert script is not None
    assert size(script.assertions[-1]) == 2001


def test_real_numerals_get_a_point() -> None:
    text = "(set-logic QF_LRA)(declare-fun x () Real)(assert (= x 3))(check-sat)"
    assert "(= x 3.0)" in flat(text)


def test_resets_are_followed() -> None:
    assert flat("(assert true)(check-sat)(reset)(assert false)(check-sat)") == "(assert true) (check-sat)"
    assert flat("(assert true)(reset-assertions)(assert false)(check-sat)") == "(assert false) (check-sat)"


def test_a_name_that_is_declared_twice_is_renamed() -> None:
    text = "(push 1)(declare-fun x () Int)(pop 1)(push 1)(declare-fun x () Bool)(assert x)(check-sat)"
    assert flat(text).endswith("(declare-fun x!1 () Bool) (assert x!1) (check-sat)")


@pytest.mark.parametrize(
    "text",
    [
        '(set-option :encoding ascii)(declare-const x String)(assert (= x ""))(check-sat)',
        "(declare-const x Bool)(assert x)(check-sat)(block-model :literals)(check-sat)",
        "(declare-fun x () Int)(check-sat)",
        "(declare-fun x () Int)(assert true)",
        "(push 1)(define-fun f () Int 1)(pop 1)(push 1)(define-fun f () Int 2)(assert (= f 2))(check-sat)",
        "(set-logic ALL)(declare-heap (Int Int))(assert sep.emp)(check-sat)",
    ],
)
def test_what_cannot_be_flattened(text: str) -> None:
    assert flatten(read_script(text)) is None
