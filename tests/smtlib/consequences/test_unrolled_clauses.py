"""An unrolling has a model exactly if there is a derivation of its depth."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from falsum.smtlib import print_script, print_term, read_script
from falsum.smtlib.consequences import unrolled_clauses as module
from falsum.smtlib.consequences.clauses import clauses_of
from falsum.smtlib.consequences.invariants import read_invariant
from falsum.smtlib.consequences.unrolled_clauses import Unrolling, unrolled
from falsum.smtlib.sorts import BOOL, INT
from falsum.smtlib.terms import Function
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab, LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

DECLARED = "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun f (Int Int) Bool)"
# p counts in steps of two from 0; the query asks for 6.
COUNTING = (
    f"{DECLARED}(assert (p 0))(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))"
    "(assert (forall ((x Int)) (=> (and (p x) (= x 6)) false)))"
)
# Fibonacci's numbers need two derivations at each step: f(4) = 3 is the query.
FIBONACCI = (
    f"{DECLARED}(assert (f 0 0))(assert (f 1 1))(assert (forall ((n Int) (a Int) (b Int)) "
    "(=> (and (f n a) (f (+ n 1) b)) (f (+ n 2) (+ a b)))))(assert (=> (f 4 3) false))"
)


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with LiveLab([resolve("z3", Zoo())], Limits(seconds=10)) as live:
        yield live


def made(text: str, depth: int, goal: Function | None = None) -> Unrolling:
    flat = read_script(text)
    unrolling = unrolled(flat, clauses_of(flat) or (), depth, goal)
    assert unrolling is not None
    return unrolling


@pytest.mark.parametrize(
    ("text", "depth", "verdict"),
    [
        (COUNTING, 3, Verdict.UNSAT),
        (COUNTING, 4, Verdict.SAT),
        (COUNTING, 20, Verdict.SAT),
        (COUNTING.replace("(= x 6)", "(= x 7)"), 20, Verdict.UNSAT),
        (FIBONACCI, 3, Verdict.UNSAT),
        (FIBONACCI, 4, Verdict.SAT),
        (FIBONACCI.replace("f 4 3", "f 4 4"), 5, Verdict.UNSAT),
        (f"{DECLARED}(assert (p 0))", 3, Verdict.UNSAT),  # nothing is denied
        (f"{DECLARED}(assert false)", 0, Verdict.SAT),
    ],
)
def test_depths(text: str, depth: int, verdict: Verdict, lab: Lab) -> None:
    script = print_script(made(text, depth).script)
    assert "forall" not in script
    assert lab.ask(Request("z3", script)).verdict is verdict


def test_facts_of_a_model_are_those_that_are_derived(lab: Lab) -> None:
    unrolling = made(COUNTING, 3, Function("p", (INT,), BOOL))
    answer = lab.ask(Request("z3", print_script(unrolling.script), Want.MODEL))
    model = read_invariant(unrolling.script, answer.model or "")
    assert model is not None
    facts = {print_term(fact) for fact in unrolling.facts(model)}
    assert facts
    assert facts <= {"(p 0)", "(p 2)", "(p 4)", "(p 6)"}


def test_too_many_uses_are_not_unrolled(monkeypatch: pytest.MonkeyPatch) -> None:
    flat = read_script(FIBONACCI)
    monkeypatch.setattr(module, "MOST_USES", 12)
    assert unrolled(flat, clauses_of(flat) or (), 3) is None
    assert unrolled(flat, clauses_of(flat) or (), 1) is not None
