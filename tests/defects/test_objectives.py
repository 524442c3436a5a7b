"""Objectives: as commands, as terms, and the values that solvers print of them."""

from __future__ import annotations

from random import Random

import pytest

from falsum.defects.objectives import (
    Objective,
    closed_terms,
    drawn_objectives,
    own_objectives,
    printed_values,
)
from falsum.smtlib import Script, print_term, read_script
from falsum.smtlib.at_check import at_last_check
from falsum.smtlib.sorts import INT, REAL, Sort

BITS = Sort("BitVec", (8,))


def flat(text: str) -> Script:
    script = at_last_check(read_script(f"{text}(check-sat)"))
    assert script is not None
    return script


@pytest.mark.parametrize(
    ("sort", "text", "literal"),
    [
        (INT, "0", "0"),
        (INT, "(- (- 4))", "4"),
        (INT, "4.0", "4"),
        (INT, "4.5", None),
        (INT, "(- oo)", None),
        (REAL, "0.25", "(/ 1.0 4.0)"),
        (REAL, "(/ 6.0 4.0)", "(/ 3.0 2.0)"),
        (REAL, "(/ 1.0 0.0)", None),
        (REAL, "(/ oo 2.0)", None),
        (REAL, "(- (/ 4.0 2.0))", "(- 2.0)"),
        (BITS, "0", "(_ bv0 8)"),
        (BITS, "(- 1)", None),
        (BITS, "0.5", None),
    ],
)
def test_values_as_terms(sort: Sort, text: str, literal: str | None) -> None:
    assert Objective("", "t", sort, is_maximum=True).literal(text) == literal


@pytest.mark.parametrize(
    ("sort", "is_maximum", "better", "far"),
    [
        (INT, True, "(> t 4)", "(> t 1000000007)"),
        (INT, False, "(< t 4)", "(< t (- 1000000007))"),
        (REAL, True, "(> t 4)", "(> t 1000000007.0)"),
        (REAL, False, "(< t 4)", "(< t (- 1000000007.0))"),
        (BITS, True, "(bvugt t 4)", None),
        (BITS, False, "(bvult t 4)", None),
    ],
)
def test_what_is_better(sort: Sort, better: str, far: str | None, *, is_maximum: bool) -> None:
    objective = Objective("", "t", sort, is_maximum)
    assert objective.better("4") == better
    assert objective.equal("4") == "(= t 4)"
    assert far is None or objective.far() == far
    for printed in ("oo", "(* (- 1) oo)", "(- oo)", "4", "(+ oo 1)"):
        expected = printed == "oo" if is_maximum else printed in ("(* (- 1) oo)", "(- oo)")
        assert objective.is_unbounded(printed) is expected


@pytest.mark.parametrize(
    ("text", "commands", "term"),
    [
        ("(declare-const x Int)(maximize (+ x 1))", "(maximize (+ x 1))\n", "(+ x 1)"),
        ("(declare-const x Int)(minimize x)", "(minimize x)\n", "x"),
        ("(declare-const a Bool)(assert-soft a)", "(assert-soft a :weight 1.0)\n", "(ite a 0.0 1.0)"),
        (
            "(declare-const a Bool)(assert-soft a :weight 0.5)",
            "(assert-soft a :weight 0.5)\n",
            "(ite a 0.0 (/ 1.0 2.0))",
        ),
        (
            "(declare-const a Bool)(assert-soft a :weight 2 :id g)",
            "(assert-soft a :weight 2.0)\n",
            "(ite a 0.0 2.0)",
        ),
        (
            "(declare-const a Bool)(assert-soft a :id g :weight 0.25)(assert-soft (not a) :id g)",
            "(assert-soft a :weight 0.25)\n(assert-soft (not a) :weight 1.0)\n",
            "(+ (ite a 0.0 (/ 1.0 4.0)) (ite (not a) 0.0 1.0))",
        ),
    ],
)
def test_objectives_of_a_script(text: str, commands: str, term: str) -> None:
    (objective,) = own_objectives(flat(text)) or []
    assert (objective.commands, objective.term) == (commands, term)
    assert objective.is_maximum is ("maximize" in text)


def test_several_objectives_stay_in_their_order() -> None:
    found = own_objectives(flat("(declare-const x Int)(declare-const y Int)(maximize y)(minimize x)"))
    assert [(each.term, each.is_maximum) for each in found or ()] == [("y", True), ("x", False)]
    assert own_objectives(flat("(declare-const x Int)(assert (> x 0))")) == []


@pytest.mark.parametrize(
    ("stdout", "values"),
    [
        ("sat\n(objectives\n (x 1)\n)\nsat\n(objectives\n (x 2)\n)\n", [["1"], ["2"]]),
        ("sat\n(objectives\n)\n", [[]]),
        ("sat\n(objectives (x 1) ( 2) (4))\n", [["1", "2", "4"]]),
        ("sat\n(objectives\n (x (/ 1.0\n   2.0))\n)\n", [["(/ 1.0 2.0)"]]),
        ("sat\n(objectives\n ((ite p x\n y) (- 3))\n ()\n)\n", [["(- 3)", ""]]),
        ('(error "line 1: no")\nsat\n((define-fun x () Int 1))\n', []),
    ],
)
def test_printed_values(stdout: str, values: list[list[str]]) -> None:
    assert printed_values(stdout) == values


MIXED = flat(
    "(declare-const x Int)(declare-const y Int)(declare-const p Bool)(declare-const q Bool)"
    "(declare-const z Int)(declare-const s String)(assert (or p q (> x y) (< z 3) (= s s)))"
)


def test_drawn_objectives_are_numbers_or_soft_constraints() -> None:
    drawn = [drawn_objectives(MIXED, Random(number)) for number in range(200)]
    soft = [each for each in drawn if "assert-soft" in each[0].commands]
    assert 20 < len(soft) < 80
    assert all(len(each) == 1 and each[0].commands.count("assert-soft") == 3 for each in soft)
    weights = {line.rpartition(" ")[2] for each in soft for line in each[0].commands.splitlines()}
    assert weights == {"1.0)", "2.0)", "3.0)"}
    numeric = [each for each in drawn if each not in soft]
    assert {len(each) for each in numeric} == {1, 2}
    assert {one.term for each in numeric for one in each} == {"x", "y", "z"}
    assert {one.is_maximum for each in numeric for one in each} == {True, False}


def test_objectives_are_drawn_from_what_there_is() -> None:
    only_atoms = flat("(declare-const p Bool)(assert (not p))")
    assert drawn_objectives(only_atoms, Random(1))[0].commands.startswith("(assert-soft p :weight ")
    only_numbers = flat("(declare-const x Int)(assert (> x 0))")
    for number in range(20):
        assert {each.term for each in drawn_objectives(only_numbers, Random(number))} == {"x"}
    assert drawn_objectives(flat("(declare-const p Bool)(assert p)"), Random(1)) == []


def test_closed_terms_are_short_parts_without_bound_variables() -> None:
    text = "(declare-const x Int)(assert (forall ((y Int)) (> (+ y 1) (+ x 2))))(assert (= x 5))"
    assert {print_term(term) for term in closed_terms(flat(text))} == {"x", "(+ x 2)"}
    long = flat(f"(declare-const x Int)(assert (> {'(+ 1 ' * 3000}x{')' * 3000} 0))")
    *shorter, longest = closed_terms(long)
    assert 900 < len(shorter) < 1100
    assert len(print_term(longest)) < 8000


def test_no_objective_is_drawn_from_functions_beyond_the_standard() -> None:
    script = flat("(declare-const x Real)(assert (< (+ (exp x) 1.0) (* 2.0 x)))")
    drawn = [one for number in range(20) for one in drawn_objectives(script, Random(number))]
    assert any("(* 2.0 x)" in one.commands for one in drawn)
    assert not any("exp" in one.commands for one in drawn if one.commands.startswith(("(min", "(max")))
