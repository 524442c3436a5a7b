"""The status of a seed: verdicts that solvers agree on, and models that the evaluator verifies."""

from __future__ import annotations

from functools import partial

import pytest

from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.fake_lab import FakeLab
from falsum.strategies.seeds import SeedStatus, agreed_verdicts, count_checks, flatten, status_of
from falsum.strategies.seeds import status as status_module

SAT, UNSAT = Verdict.SAT, Verdict.UNSAT
SEED = "(declare-fun x () Int)(assert (> x 3))(check-sat)"


def lab(*replies: str) -> FakeLab:
    """Solvers that answer the same to everything; words are the verdicts of several checks."""
    return FakeLab({f"s{number}": partial(answer, reply) for number, reply in enumerate(replies)})


def answer(reply: str, _script: str) -> Answer:
    return Answer(tuple(map(Verdict, reply.split())), FINISHED)


@pytest.mark.parametrize(
    ("replies", "verdicts"),
    [
        (["sat", "sat"], (SAT,)),
        (["unknown", "unsat"], (UNSAT,)),
        (["sat", "unsat"], (None,)),
        (["unknown", "unknown"], (None,)),
        ([], (None,)),
        (["sat unsat", "sat sat"], (SAT, None)),
        (["sat", "unknown unsat"], (SAT, UNSAT)),
    ],
)
def test_agreed_verdicts(replies: list[str], verdicts: tuple[Verdict | None, ...]) -> None:
    assert agreed_verdicts(SEED, len(verdicts), lab(*replies)) == verdicts


def test_two_solvers_that_decide_are_enough() -> None:
    several = lab("sat", "unknown", "sat", "unsat")
    assert agreed_verdicts(SEED, 1, several) == (SAT,)
    assert [solver for solver, _ in several.asked] == ["s0", "s1", "s2"]


def test_checks_are_counted() -> None:
    text = "(declare-fun p () Bool)(check-sat)(push 1)(check-sat-assuming (p))(pop 1)"
    assert count_checks(read_script(text)) == 2


def status(reply: Answer) -> SeedStatus:
    flat = flatten(read_script(SEED))
    assert flat is not None
    return status_of(flat, FakeLab({"s": lambda _: reply}))


@pytest.mark.parametrize(
    ("model", "is_witness"), [("((define-fun x () Int 4))", True), ("((define-fun x () Int 3))", False)]
)
def test_a_model_is_a_witness_if_the_evaluator_verifies_it(model: str, is_witness: bool) -> None:
    found = status(Answer((SAT,), FINISHED, model=model))
    assert found.verdict is SAT
    assert bool(found.witness) is is_witness


def test_without_solvers_nothing_is_known() -> None:
    flat = flatten(read_script(SEED))
    assert flat is not None
    assert status_of(flat, None) == SeedStatus(None)
    assert status(Answer((UNSAT,), FINISHED)) == SeedStatus(UNSAT)


def test_after_a_verified_model_nobody_else_is_asked() -> None:
    flat = flatten(read_script(SEED))
    assert flat is not None
    reply = Answer((SAT,), FINISHED, model="((define-fun x () Int 4))")
    both = FakeLab({"s": lambda _: reply, "t": lambda _: Answer((UNSAT,), FINISHED)})
    assert status_of(flat, both).verdict is SAT
    assert {solver for solver, _ in both.asked} == {"s"}


def test_a_model_is_verified_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reply = Answer((SAT,), FINISHED, model="((define-fun x () Int 40))")
    first = status(reply)
    monkeypatch.setattr(status_module, "truths", None)
    assert status(reply) == first
    assert first.witness
