"""The negation of a clause, with the predicates of a model, is satisfiable exactly if the model is wrong."""

from __future__ import annotations

import pytest

from falsum.smtlib import read_script
from falsum.smtlib.at_check import at_last_check
from falsum.smtlib.consequences.clauses import clauses_of
from falsum.smtlib.consequences.invariants import negated_clauses, read_invariant
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

SCRIPT = (
    "(set-logic HORN)(define-fun next ((x Int)) Int (+ x 2))"
    "(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)"
    "(assert (forall ((x Int)) (=> (= x 0) (p x))))"
    "(assert (forall ((x Int)) (=> (and (p x) (< x 9)) (p (next x)))))"
    "(assert (forall ((x Int)) (=> (or (p x) (q x)) (q (- x)))))"
    "(assert (forall ((x Int)) (=> (and (q x) (> x 20)) false)))(check-sat)"
)
Q = "(define-fun q ((x Int)) Bool (<= (- 10) x 10))"
MODELS = [
    (f"((define-fun p ((x Int)) Bool (<= 0 x 10)){Q})", []),
    (f"((define-fun p ((x Int)) Bool (<= 0 x 9)){Q})", [1]),
    (f"((define-fun p ((x Int)) Bool (<= 1 x 10)){Q})", [0]),
    ("((define-fun p ((x Int)) Bool (<= 0 x 10))(define-fun q ((x Int)) Bool true))", [4]),
    # Functions of the solver's own, which call each other.
    (f"((define-fun k!1 ((x Int)) Bool (<= 0 x 11))(define-fun p ((x Int)) Bool (k!1 (+ x 2))){Q})", [1]),
    # What a model does not define may be anything.
    ("((define-fun p ((x Int)) Bool (<= 1 x 10)))", [0]),
]  # fmt: skip


@pytest.mark.parametrize(("model", "wrong"), MODELS)
def test_negated_clauses_are_satisfiable_if_the_model_is_wrong(model: str, wrong: list[int]) -> None:
    flat = at_last_check(read_script(SCRIPT))
    assert flat is not None
    clauses = clauses_of(flat)
    read = read_invariant(flat, model)
    assert clauses is not None
    assert read is not None
    negated = list(negated_clauses(flat, clauses, read))
    assert len(negated) == (5 if "q" in model else 2)
    with LiveLab([resolve("cvc5", Zoo())], Limits(seconds=5)) as lab:
        verdicts = [lab.ask(Request("cvc5", text)).verdict for _, text in negated]
    assert [number for number, verdict in enumerate(verdicts) if verdict is not Verdict.UNSAT] == wrong
    assert {verdicts[number] for number in wrong} <= {Verdict.SAT}


def test_what_cannot_be_read_is_no_invariant() -> None:
    assert read_invariant(read_script(SCRIPT), "((define-fun p") is None
