"""Models under falsum's own evaluator: which assertion is false, and why one is not decided."""

from __future__ import annotations

import pytest

from falsum.defects.model_check import falsified, satisfies, why_undecided
from falsum.smtlib import Script, print_term, read_script
from falsum.smtlib.at_check import at_last_check
from falsum.smtlib.scripts import Assert
from falsum.smtlib.syntax.reader import read_term
from falsum.smtlib.terms import Head, app
from falsum.smtlib.theories import OPERATORS

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


GLOBAL = "(set-option :global-declarations true)(declare-const p Bool)(push 1)(assert (! p :named n))"


@pytest.mark.parametrize("away", ["(pop 1)", "(reset-assertions)"])
@pytest.mark.parametrize(("model", "holds"), [("false", True), ("true", False)])
def test_names_of_popped_assertions_keep_their_meaning(away: str, model: str, *, holds: bool) -> None:
    flat = at_last_check(read_script(f"{GLOBAL}{away}(assert (not n))(check-sat)"))
    assert flat is not None
    printed = f"((define-fun p () Bool {model}))"
    assert satisfies(flat, printed).holds is holds
    assert (falsified(flat, printed) is None) is holds


def test_a_symbol_without_a_definition_is_not_false() -> None:
    """The definitions are not part of the script here: nobody knows what the symbols mean."""
    whole = read_script("(declare-const p Bool)(define-fun d () Bool p)(assert (! p :named n))(check-sat)")
    named, defined = read_term("n", whole), read_term("d", whole)
    declared = whole.commands[0]
    for term in (named, defined):
        script = Script((declared, Assert(app(Head(OPERATORS["not"]), (term,)))))
        for value in ("true", "false"):
            model = f"((define-fun p () Bool {value}))"
            assert falsified(script, model) is None
            assert not satisfies(script, model).holds
            assert "is not defined" in why_undecided(script, model)


def test_what_a_definition_depends_on_must_be_defined_by_the_model() -> None:
    script = read_script("(declare-const x Int)(define-fun d () Bool (> x 3))(assert d)(check-sat)")
    assert falsified(script, "()") is None
    assert falsified(script, "((define-fun x () Int 2))") is not None


RECURSIVE = "(define-fun-rec f ((x Int)) Int {})(declare-const y Int)(assert {})(check-sat)"


@pytest.mark.parametrize(
    ("body", "assertion", "holds", "is_false"),
    [
        ("(+ (f x) 1)", "(= y 0)", False, False),
        ("(+ (f x) 1)", "(= (f y) 0)", False, False),
        ("(+ (f x) 1)", "(= y 1)", False, True),
        ("(ite (= x 0) 7 (f (- x 1)))", "(= (f y) 7)", False, False),
        ("(ite (= x 0) 7 (f (- x 1)))", "(= (f y) 6)", False, True),
        ("(ite (<= x 0) 7 (f (- x 1)))", "(= (f y) 7)", True, False),
        ("(ite (<= x 0) 7 (f (- x 1)))", "(= (f y) 6)", False, True),
    ],
)
def test_that_a_recursive_function_exists_is_part_of_the_question(
    body: str, assertion: str, *, holds: bool, is_false: bool
) -> None:
    script = read_script(RECURSIVE.format(body, assertion))
    model = "((define-fun y () Int 0))"
    assert satisfies(script, model).holds is holds
    assert (falsified(script, model) is not None) is is_false


SQUARE = read_script("(declare-const x Real)(assert (= (* x x) 2.0))(check-sat)")


@pytest.mark.parametrize(
    "number", ["1.414214", "1.41421356", "(- 1.414213562373095)", "1.500000", "(/ 2.828428 2.0)"]
)
def test_an_approximation_of_a_number_is_not_false(number: str) -> None:
    model = f"((define-fun x () Real {number}))"
    assert falsified(SQUARE, model) is None
    assert not satisfies(SQUARE, model).holds
    assert why_undecided(SQUARE, model) == "it has decimals that may be approximations"


@pytest.mark.parametrize(
    ("script", "number"),
    [
        (SQUARE, "1.5"),
        (SQUARE, "(/ 1414214.0 1000000.0)"),
        (read_script("(declare-const x Real)(assert (< x 0.0000001))(check-sat)"), "0.0000001"),
    ],
)
def test_exact_numbers_are_false(script: Script, number: str) -> None:
    assert falsified(script, f"((define-fun x () Real {number}))") is not None
