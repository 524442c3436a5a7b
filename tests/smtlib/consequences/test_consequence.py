"""What follows from an answer: nothing refutes a right one, and the right verdict refutes a wrong one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product

import pytest

from falsum.smtlib import Script, print_term, read_script
from falsum.smtlib.consequences import consequence as c
from falsum.smtlib.consequences.consequence import Consequence
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.scripts import Assert, CheckSat
from falsum.smtlib.syntax.reader import read_term
from falsum.smtlib.terms import Term
from falsum.smtlib.verdict import Verdict

DECLARED = read_script(
    "(declare-fun a () Bool)(declare-fun b () Bool)(declare-fun g () Bool)"
    "(declare-fun x () (_ BitVec 2))(define-fun uses-a () Bool (not a))"
)
BOOLS, BITS = ("true", "false"), ("#b00", "#b01", "#b10", "#b11")
MODELS = [
    read_model(
        "((define-fun a () Bool {})(define-fun b () Bool {})(define-fun g () Bool {})"
        "(define-fun x () (_ BitVec 2) {}))".format(*values),
        DECLARED,
    )
    for values in product(BOOLS, BOOLS, BOOLS, BITS)
]


def term(text: str) -> Term:
    return read_term(text, DECLARED)


def terms(*texts: str) -> tuple[Term, ...]:
    return tuple(map(term, texts))


def verdict(asserted: Sequence[Term]) -> Verdict:
    """By trying all assignments."""
    script = Script((*DECLARED.commands, *map(Assert, asserted), CheckSat()))
    return Verdict.SAT if any(all(truths(script, model)) for model in MODELS) else Verdict.UNSAT


def refuted(implied: Iterable[Consequence]) -> list[str]:
    return [one.why for one in implied if verdict(one.terms) is one.wrong]


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (lambda: c.of_interpolant(terms("(and a b)"), terms("(not b)", "g"), term("b")), []),
        (
            lambda: c.of_interpolant(terms("a"), terms("(not b)"), term("b")),
            ["the first part does not imply it"],
        ),
        (
            lambda: c.of_interpolant(terms("(and a b)"), terms("(not b)"), term("true")),
            ["it is satisfiable with the second part"],
        ),
        (lambda: c.of_abduct(terms("(or (not a) g)"), term("a"), term("g")), []),
        (lambda: c.of_abduct(terms("(not a)"), term("a"), term("g")), ["it contradicts what is asserted"]),
        (lambda: c.of_abduct(terms("a"), term("b"), term("g")), ["the goal does not follow"]),
        (lambda: c.of_optimum(terms("(bvult x #b10)"), term("x"), term("#b01"), is_maximum=True), []),
        (lambda: c.of_optimum(terms("(bvugt x #b00)"), term("x"), term("#b01"), is_maximum=False), []),
        (
            lambda: c.of_optimum(terms("(bvult x #b10)"), term("x"), term("#b00"), is_maximum=True),
            ["there is a better value"],
        ),
        (
            lambda: c.of_optimum(terms("(bvult x #b10)"), term("x"), term("#b11"), is_maximum=True),
            ["the value is not possible"],
        ),
        # A Boolean has no better value, and a value of another sort is none at all.
        (lambda: c.of_optimum(terms("a"), term("a"), term("true"), is_maximum=True), []),
        (lambda: c.of_optimum(terms("a"), term("x"), term("true"), is_maximum=True), []),
        (lambda: c.of_implied(terms("a", "(=> a b)"), term("b")), []),
        (lambda: c.of_implied(terms("a"), term("b")), ["it does not follow from the assertions"]),
        (lambda: c.of_equal(terms("(= a b)"), term("a"), term("b")), []),
        (lambda: c.of_equal(terms("a"), term("a"), term("b")), ["they differ"]),
    ],
)
def test_only_what_is_wrong_is_refuted(made: Callable[[], tuple[Consequence, ...]], why: list[str]) -> None:
    assert refuted(made()) == why


@pytest.mark.parametrize(
    ("interpolant", "first", "second", "foreign"),
    [
        ("b", ("(and a b)",), ("(not b)",), []),
        ("(and a b)", ("(and a b)",), ("(not b)", "g"), ["a"]),
        # A part may use a symbol through a definition.
        ("(not a)", ("uses-a",), ("a",), []),
        ("uses-a", ("b",), ("a",), ["a"]),
        ("(or a b g)", ("a",), ("b",), ["a", "b", "g"]),
    ],
)
def test_the_symbols_of_an_interpolant(
    interpolant: str, first: tuple[str, ...], second: tuple[str, ...], foreign: list[str]
) -> None:
    bodies = c.bodies_of(DECLARED.commands)
    assert [print_term(body) for body in bodies.values()] == ["(not a)"]
    assert c.foreign_symbols(term(interpolant), terms(*first), terms(*second), bodies) == foreign
