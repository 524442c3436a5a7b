"""Optima: right ones are silent; forged ones are found, judged and reported."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from tests.defects.forgeries import ForgingLab, forger, found_in, triaged
from tests.labs import live_lab

from falsum.defects.evidence.judgement import Defect
from falsum.defects.kinds.wrong_optimum import OptimumOracle
from falsum.defects.objectives import (
    Objective,
    drawn_objectives,
    own_objectives,
    printed_values,
)
from falsum.smtlib import read_script
from falsum.smtlib.at_check import at_last_check
from falsum.smtlib.sorts import INT, REAL, Sort
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.request import Request

NUMBERS = """(declare-const x Int)(declare-const y Int)
(assert (and (< 0 x 7) (< 0 y 9) (< (+ x y) 10)))
"""
BOUNDED = f"{NUMBERS}(maximize (+ x y))(check-sat)"
SCRIPTS = [
    BOUNDED,
    "(declare-const x Int)(assert (< x 3))(minimize x)(check-sat)",
    "(declare-const x Real)(assert (< x 3.5))(maximize x)(check-sat)",
    "(declare-const b (_ BitVec 4))(assert (bvult b #x9))(maximize b)(check-sat)",
    f"{NUMBERS}(maximize x)(maximize y)(check-sat)",
    f"(set-option :opt.priority box){NUMBERS}(maximize x)(minimize (- x y))(check-sat)",
    f"(set-option :opt.priority pareto){NUMBERS}(maximize x)(maximize y)(check-sat)",
    f"{NUMBERS}(assert-soft (> x 5) :weight 2)(assert-soft (< x 2))(check-sat)",
    f"{NUMBERS}(check-sat)",
    "(declare-const x Int)(assert (< 3 x 2))(maximize x)(check-sat)",
    # z3 warns that it cannot do this.
    "(declare-const x Real)(assert (forall ((y Real)) (=> (<= 0.0 y) (< x y))))(maximize x)(check-sat)",
    # A front that is complete, after which the solver begins again.
    f"(set-option :opt.priority pareto){NUMBERS}(assert (= x y))(maximize x)(maximize y)(check-sat)",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_right_optima_are_not_reported(script: str) -> None:
    with live_lab("z3", "cvc5", seconds=20.0) as lab:
        assert found_in(OptimumOracle(), script, lab) is None


def test_an_invalid_model_is_no_wrong_optimum() -> None:
    """It is what the model oracle looks for."""

    def forge(request: Request, answer: Answer) -> Answer:
        return replace(answer, model="((define-fun x () Int 100) (define-fun y () Int (- 91)))")

    with live_lab("z3", seconds=20.0) as lab:
        assert found_in(OptimumOracle(), BOUNDED, ForgingLab(lab, forge)) is None


BITS = "(declare-const b (_ BitVec 4))(assert (bvult b #x9))(maximize b)(check-sat)"
SOFT = f"{NUMBERS}(assert-soft (> x 5) :weight 2)(assert-soft (< x 2) :weight 3)(check-sat)"
TWO = f"{NUMBERS}(maximize x)(maximize y)(check-sat)"
FRONT = f"(set-option :opt.priority pareto){TWO}"


def lie(
    pattern: str, text: str, *, model: bool = True, objectives: int = 1
) -> Callable[[Request, Answer], Answer]:
    """Replaces a pattern in what z3 prints for so many objectives or more."""

    def forge(request: Request, answer: Answer) -> Answer:
        if "(assert (< x 3))" in request.script or request.script.count("imize") < objectives:
            return answer
        printed = re.sub(pattern, text, answer.stdout)
        return replace(answer, stdout=printed, model=answer.model if model else None)

    return forge


def unsat(request: Request, answer: Answer) -> Answer:
    """Answers unsat if something is optimised, but for the probe."""
    is_probe = "(assert (< x 3))" in request.script
    return Answer((Verdict.UNSAT,), FINISHED) if "imize" in request.script and not is_probe else answer


LIES = [
    (BOUNDED, lie(r" 9\)", " 10)"), "gives 10 as the optimum of (+ x y), but under its own model"),
    (
        BOUNDED,
        lie(r" 9\)", " 8)", model=False),
        "gives 8 as the optimum of (+ x y), but there is something better",
    ),
    (BITS, lie(r" 8\)", " 7)", model=False), "gives 7 as the optimum of b, but there is something better"),
    (SOFT, lie(r" 2\)", " 3)", objectives=0), "evaluates to false"),
    (BOUNDED, lie(r" 9\)", " oo)"), "gives (+ x y) as unbounded, but answers unsat to"),
    (BOUNDED, unsat, "answers unsat when something is optimised"),
    (TWO, lie(r"\(x 6\)", "(x 5)", objectives=2), "gives 6 as the optimum of x alone, but 5 together"),
    (
        TWO,
        lie(r"\(y 3\)", "(y 2)", objectives=2),
        "gives 2 as the optimum of y, but there is something better",
    ),
    (FRONT, lie(r"\(x [2-6]\)\s*\(y [1-7]\)", "(x 0) (y 0)", objectives=2), "of one Pareto front"),
    (FRONT, lie(r"\(y [2-8]\)", "(y 3)", objectives=2), "of one Pareto front"),
]


@pytest.mark.parametrize(("script", "forge", "evidence"), LIES)
def test_a_forged_optimum_is_found(
    script: str, forge: Callable[[Request, Answer], Answer], evidence: str
) -> None:
    with live_lab("z3", seconds=20.0) as lab:
        found = found_in(OptimumOracle(), script, ForgingLab(lab, forge))
    assert found is not None
    assert found.kind == "optimum"
    assert found.suspects == ("forged",)
    assert evidence in found.evidence
    assert found.request is not None


def test_what_is_drawn_stays_the_same_in_smaller_scripts() -> None:
    """The finding is about a script that states it."""
    with live_lab("z3", seconds=20.0) as lab:
        forged = ForgingLab(lab, unsat)
        found = found_in(OptimumOracle(), f"{NUMBERS}(check-sat)", forged)
        assert found is not None
        flat = at_last_check(read_script(found.case.text))
        assert flat is not None
        stated = own_objectives(flat)
        assert stated
        smaller = found.case.text.replace("(assert (and (< 0 x 7) (< 0 y 9) (< (+ x y) 10)))", "")
        assert smaller != found.case.text
        again = found_in(OptimumOracle(), smaller, forged)
    assert again is not None
    assert again.case.text == smaller
    assert stated[0].commands in smaller


def test_a_forged_optimum_is_reported(tmp_path: Path) -> None:
    suspect = forger("modest")
    made, report = triaged(OptimumOracle(), BOUNDED, (suspect, "z3"), tmp_path)
    assert (made.judgement.defect, made.judgement.suspects) == (Defect.WRONG_OPTIMUM, (suspect,))
    assert made.cold.always
    assert report.startswith("# Wrong optimum for an arithmetic formula")
    assert "An optimum that the model attains and that nothing exceeds." in report
    assert "(get-objectives)" in report
    assert "there is something better" in report


@pytest.mark.parametrize(
    ("sort", "text", "literal"),
    [
        (INT, "9", "9"),
        (INT, "(- 4)", "(- 4)"),
        (INT, "oo", None),
        (INT, "(/ 1.0 2.0)", None),
        (REAL, "3", "3.0"),
        (REAL, "(- (/ 1.0 2.0))", "(- (/ 1.0 2.0))"),
        (REAL, "(/ (- 1.0) 2.0)", "(- (/ 1.0 2.0))"),
        (REAL, "(+ 3.0 (* (- 1.0) epsilon))", None),
        (Sort("BitVec", (8,)), "31", "(_ bv31 8)"),
    ],
)
def test_values_are_read_as_they_are_printed(sort: Sort, text: str, literal: str | None) -> None:
    assert Objective("", "t", sort, is_maximum=True).literal(text) == literal


def test_objectives_are_read_by_their_place() -> None:
    output = "sat\n(objectives\n (x (- 4))\n ((+ x y) 9)\n ( 0)\n)\n((define-fun x () Int 1))\n"
    assert printed_values(output) == [["(- 4)", "9", "0"]]
    assert printed_values("sat\n") == []


def test_objectives_that_are_not_understood_are_left_alone() -> None:
    for text in (
        "(declare-const a Bool)(assert-soft a :weight (- 1))(check-sat)",
        "(declare-const a Bool)(declare-const x Int)(minimize x)(assert-soft a)(check-sat)",
        "(declare-const a Bool)(assert-soft a :id p)(assert-soft a :id q)(check-sat)",
        "(declare-const x (_ FloatingPoint 5 11))(minimize x)(check-sat)",
    ):
        flat = at_last_check(read_script(text))
        assert flat is not None
        assert own_objectives(flat) is None


def test_soft_constraints_are_a_sum_of_weights() -> None:
    flat = at_last_check(
        read_script("(declare-const a Bool)(assert-soft a :weight 0.5)(assert-soft (not a))(check-sat)")
    )
    assert flat is not None
    (objective,) = own_objectives(flat) or []
    assert objective.term == "(+ (ite a 0.0 (/ 1.0 2.0)) (ite (not a) 0.0 1.0))"
    assert objective.literal("(/ 1.0 2.0)") == "(/ 1.0 2.0)"


def test_drawn_objectives_have_no_bound_variables() -> None:
    text = "(declare-const x Int)(assert (forall ((y Int)) (> (+ y y) x)))(assert (< (* 2 x) 7))(check-sat)"
    flat = at_last_check(read_script(text))
    assert flat is not None
    drawn = [each.term for number in range(40) for each in drawn_objectives(flat, Random(number))]
    assert {"x", "(* 2 x)"} <= set(drawn)
    assert not any("y" in term for term in drawn)
