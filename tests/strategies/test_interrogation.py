"""What is added to Horn clauses follows from them, or from what a solver says of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from tests.labs import live_lab

from falsum.smtlib import read_script
from falsum.smtlib.fragments.horn import is_horn
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.fake_lab import FakeLab, Reply
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request
from falsum.strategies import BY_NAME, Mutant, Seed

COUNTER = (
    "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(declare-fun q (Int Bool) Bool)\n"
    "(assert (forall ((x Int)) (=> (= x 0) (p x))))\n"
    "(assert (forall ((x Int)) (=> (and (p x) (< x 9)) (p (+ x 2)))))\n"
    "(assert (forall ((x Int)) (=> (p x) (q (- x) (> x 4)))))\n"
    "(assert (forall ((x Int) (b Bool)) (=> (and (q x b) (or b (> x {0}))) (> 4 x))))\n(check-sat)\n"
)
SAFE, UNSAFE = COUNTER.format(10), COUNTER.format("(- 8)")


@pytest.fixture(scope="module")
def z3() -> Iterator[Lab]:
    with live_lab("z3", seconds=20.0) as lab:
        yield lab


def made(text: str, lab: Lab | None, count: int = 60) -> list[Mutant]:
    return list(islice(BY_NAME["interrogation"].mutants([Seed("s", text)], Random(3), lab), count))


def kinds(mutants: list[Mutant]) -> set[str]:
    words = ("resolvent", "question", "premise", "denied fact", "fact")
    lines = [line.removeprefix("interrogation: ") for mutant in mutants for line in mutant.lineage]
    return {next(word for word in words if line.startswith(word)) for line in lines}


@pytest.mark.parametrize("text", [SAFE, UNSAFE])
def test_promises_hold_and_mutants_are_horn(text: str, z3: Lab) -> None:
    truth = z3.ask(Request("z3", text)).verdict
    mutants = made(text, z3)
    for mutant in mutants:
        assert is_horn(read_script(mutant.text)), mutant.text
        verdict = z3.ask(Request("z3", mutant.text)).verdict
        assert verdict is not None
        expected = mutant.claim.verdicts[0] if mutant.claim is not None else truth
        assert not expected or not verdict.contradicts(expected), mutant.text
        assert (mutant.claim is None) is (mutant.reference is not None)
    of_invariants = {"question", "premise"} if truth is Verdict.SAT else set()
    assert kinds(mutants) == {"resolvent", "fact", "denied fact"} | of_invariants


def test_without_a_solver_there_are_resolvents_only() -> None:
    assert kinds(made(SAFE, None)) == {"resolvent"}


def test_other_seeds_have_no_mutants(z3: Lab) -> None:
    assert made(SAFE.replace("HORN", "ALL"), z3) == []
    assert made("(set-logic QF_LIA)(declare-const x Int)(assert (> x 0))(check-sat)", z3) == []


def test_a_wrong_invariant_makes_its_solver_contradict_itself(z3: Lab) -> None:
    """A solver that claims an odd invariant calls the clauses sat, and then asks itself about it."""

    def liar(text: str) -> Reply:
        model = "((define-fun p ((x Int)) Bool (< x 8)) (define-fun q ((x Int) (b Bool)) Bool (> x (- 8))))"
        return Answer((Verdict.SAT,), FINISHED, model=model) if "(p x) (not" not in text else "unsat"

    questions = [m for m in made(SAFE, FakeLab({"liar": liar})) if kinds([m]) == {"question"}]
    assert questions
    verdicts = {z3.ask(Request("z3", mutant.text)).verdict for mutant in questions}
    assert Verdict.UNSAT in verdicts, "p holds of 8, which the model excludes"


def test_a_derivation_that_is_wrong_is_no_fact(z3: Lab) -> None:
    """A model that does not satisfy the unrolled clauses is not believed."""

    def forged(text: str) -> Reply:
        answer = z3.ask(Request("z3", text))
        return Answer(answer.verdicts, FINISHED, model="()") if "forall" in text else Answer(
            (Verdict.SAT,), FINISHED, model="((define-fun c!1 () Bool true) (define-fun c!2 () Int 7))"
        )  # fmt: skip

    assert "fact" not in kinds(made(SAFE, FakeLab({"liar": forged}), 20))
    assert "denied fact" not in kinds(made(SAFE, FakeLab({"liar": forged}), 20))
