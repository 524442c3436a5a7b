"""Separation logic: formulas in a heap that the model gives, by hand and in comparison with cvc5."""

from __future__ import annotations

from random import Random

import pytest
from tests.labs import live_lab
from tests.smtlib.saying import says

from falsum.smtlib.verdict import Verdict
from falsum.solvers.request import Request

DECLARED = """
    (declare-heap (Int Int))
    (define-fun list ((x Int)) Bool (or (= x (as sep.nil Int)) (exists ((y Int)) (sep (pto x y) true))))
    (define-fun twice ((p Bool)) Bool (sep p p))
"""
HEAP = "(\n)\n(heap\n(sep (pto 1 2) (pto 2 7))\n(= (as sep.nil Int) 0)\n)"
SAID: dict[str, bool | str] = {
    "(sep (pto 1 2) (pto 2 7))": True,
    "(sep (pto 2 7) (pto 1 2))": True,
    "(sep (pto 1 2) (pto 1 2))": False,
    "(sep (pto 1 2) (pto 2 7) sep.emp)": True,
    "(pto 1 2)": False,
    "(not (pto 1 2))": True,
    "(sep (pto 1 2) true)": True,
    "(sep (pto 1 3) true)": False,
    "(sep (pto 1 2) (not (pto 2 7)))": False,
    "(sep (not sep.emp) (not sep.emp))": True,
    "(sep (not sep.emp) (not sep.emp) (not sep.emp))": False,
    "(sep (or (pto 1 2) (pto 1 3)) (or (pto 2 7) sep.emp))": True,
    "sep.emp": False,
    "(= (as sep.nil Int) 0)": True,
    "(sep (pto (as sep.nil Int) 2) true)": False,
    "(pto 1 (div 1 0))": "the standard leaves div open here",
    "(sep (pto 1 (div 1 0)) true)": "the heap, or what holds in a part of it, is not known",
    "(sep (and (pto 1 2) (= 1 1)) (and (pto 2 7) (= 1 2)))": False,
    "(let ((p (pto 1 2))) (sep p (not p)))": True,
    "(let ((p (pto 1 2)) (q 7)) (and (not p) (sep p (pto 2 q))))": True,
    "(forall ((b Bool)) (sep (or b (pto 1 2)) true))": True,
    "(forall ((b Bool)) (sep (and b (pto 1 2)) true))": False,
    "(list 1)": True,
    "(twice true)": True,
    "(twice (not sep.emp))": "separation logic in an argument of a function",
    "(wand (pto 3 4) (sep (pto 1 2) (pto 2 7) (pto 3 4)))": True,
    "(wand (pto 3 4) (sep (pto 1 2) (pto 2 7)))": False,
    "(wand (pto 1 2) false)": True,
    "(wand (pto (as sep.nil Int) 2) false)": True,
    "(wand sep.emp (sep (pto 1 2) true))": True,
    "(wand (sep (pto 3 4) (pto 5 6)) (sep (pto 5 6) true))": True,
    "(wand (and (pto 3 4) (= 1 2)) false)": True,
    "(wand true (sep (pto 1 2) (pto 2 7)))": "wand over heaps that cannot all be tried",
    "(wand (not sep.emp) (not (sep (pto 3 4) true)))": False,
    "(wand (or (pto 3 4) sep.emp) (sep (pto 3 4) true))": False,
}


@pytest.mark.parametrize("formula", SAID)
def test_said(formula: str) -> None:
    assert says(formula, HEAP, DECLARED) == SAID[formula]


@pytest.mark.parametrize(
    "model",
    [
        "(\n)",
        "(\n)\n(heap\n(sep (pto 1 2) (pto 1 3))\n(= (as sep.nil Int) 0)\n)",
        "(\n)\n(heap\n(pto 1 2)\n(= (as sep.nil Int) 1)\n)",
        "(\n)\n(heap\n(pto 1 data_5)\n(= (as sep.nil Int) 0)\n)",
        "(\n)\n(heap\n(pto 1 (as sep.nil Int))\n(= (as sep.nil Int) 0)\n)",
        "(\n)\n(heap\n(pto (div 1 0) 2)\n(= (as sep.nil Int) 0)\n)",
    ],
)
def test_nothing_is_said_without_a_heap(model: str) -> None:
    assert isinstance(says("(sep (pto 1 2) true)", model, DECLARED), str)
    assert isinstance(says("sep.emp", model, DECLARED), str)


def test_large_heaps_are_split_by_their_cells_only() -> None:
    cells = " ".join(f"(pto {n} {n})" for n in range(1, 31))
    heap = f"(\n)\n(heap\n(sep {cells})\n(= (as sep.nil Int) 0)\n)"
    assert says(f"(sep {cells})", heap, DECLARED) is True
    assert "more than" in str(says("(sep (not sep.emp) true)", heap, DECLARED))


def _formula(rng: Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.2:
        cell = f"(pto {rng.randrange(4)} {rng.randrange(3)})"
        return rng.choice([cell, cell, cell, "sep.emp", "true", "false"])
    connective = rng.choice(["sep", "sep", "and", "or", "=>", "not"])
    args = [_formula(rng, depth - 1) for _ in range(1 if connective == "not" else 2)]
    return f"({connective} {' '.join(args)})"


def test_cvc5_agrees() -> None:
    """The heap is asserted, so that a formula is satisfiable if it holds in it."""
    rng = Random(3)
    heap = "(sep (pto 1 2) (pto 3 0) (pto 2 1))"
    seen = set()
    with live_lab("cvc5", seconds=20) as lab:
        for _ in range(40):
            formula = _formula(rng, 3)
            held = says(formula, f"(\n)\n(heap\n{heap}\n(= (as sep.nil Int) 0)\n)", DECLARED)
            script = f"""(set-logic ALL)(declare-heap (Int Int))(assert (= (as sep.nil Int) 0))
                (assert {heap})(assert {formula})(check-sat)"""
            verdict = lab.ask(Request("cvc5", script)).verdict
            assert held is (verdict is Verdict.SAT), formula
            seen.add(held)
    assert seen == {True, False}
