"""Models under falsum's own evaluator: which assertion is false, and why one is not decided."""

from __future__ import annotations

import pytest

from falsum.defects.model_check import falsified, satisfies, why_undecided
from falsum.smtlib import print_term, read_script

TWO = read_script("(declare-const x Int)(declare-const y Int)(assert (> x 0))(assert (> y x))(check-sat)")


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ("((define-fun x () Int 1))", "the model does not define every symbol of the assertion (> y x)"),
        (
            "((define-fun x () Int (frob)) (define-fun y () Int 1))",
            "the assertion (> x 0) cannot be evaluated",
        ),
        (
            "((define-fun x () Int 2) (define-fun y () Int (frob)))",
            "the assertion (> y x) cannot be evaluated",
        ),
        ("((", "the model cannot be read"),
    ],
)
def test_why_a_model_is_not_decided(model: str, reason: str) -> None:
    assert why_undecided(TWO, model).startswith(reason)
    assert not satisfies(TWO, model).holds
    assert falsified(TWO, model) is None


def test_old_escapes_are_a_reason() -> None:
    script = read_script("(declare-const s String)(assert (= (str.len s) 1))(check-sat)")
    assert why_undecided(script, r'((define-fun s () String "\x41"))').startswith(
        "it has strings with a back"
    )


@pytest.mark.parametrize(
    ("model", "false"),
    [
        ("((define-fun x () Int 0) (define-fun y () Int 1))", "(> x 0)"),
        ("((define-fun x () Int 0))", "(> x 0)"),
        ("((define-fun x () Int 2) (define-fun y () Int 1))", "(> y x)"),
        ("((define-fun x () Int 1) (define-fun y () Int 2))", None),
    ],
)
def test_the_first_false_assertion_is_named(model: str, false: str | None) -> None:
    found = falsified(TWO, model)
    assert (print_term(found) if found is not None else None) == false
