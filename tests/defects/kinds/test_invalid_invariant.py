"""Invariants of Horn clauses: every clause has to be true under them, and nothing may lead to false."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from tests.defects import liars
from tests.labs import live_lab

from falsum.defects import oracle_named
from falsum.defects.evidence.assessment import evidence_for_verdict
from falsum.defects.evidence.evidence_session import open_sessions
from falsum.defects.judge import judge
from falsum.defects.recheck import target_of
from falsum.defects.same_defect import Kept, SameDefect
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.fake_lab import FakeLab, Reply
from falsum.solvers.lab import Lab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want

ORACLE = oracle_named("invariant")
COUNTER = (
    "(set-logic HORN)(declare-fun p (Int) Bool)(assert (forall ((x Int)) (=> (= x 0) (p x))))"
    "(assert (forall ((x Int)) (=> (and (p x) (< x 9)) (p (+ x 2)))))"
    "(assert (forall ((x Int)) (=> (and (p x) (> x {0})) false)))(check-sat)"
)
SAFE, UNSAFE = COUNTER.format(10), COUNTER.format(9)
DIVIDED = liars.SQUARES.replace("(< y x)", "(< y (div x 0))")
GOOD = "((define-fun p ((x Int)) Bool (and (>= x 0) (<= x 10))))"
GOOD_SQUARES = "((define-fun p ((x Int) (y Int)) Bool (>= y x)))"


@pytest.fixture(scope="module")
def z3() -> Iterator[Lab]:
    with live_lab("z3", seconds=20.0) as lab:
        yield lab


def solver(lab: Lab, script: str, reply: Answer | None) -> Callable[[str], Reply]:
    """z3, but for its answer to one script."""
    return lambda text: (
        reply if reply is not None and text == script else lab.ask(Request("z3", text, Want.MODEL))
    )


@pytest.mark.parametrize(
    ("script", "model", "evidence"),
    [
        (SAFE, "((define-fun p ((x Int)) Bool true))", "the clause evaluates to false"),
        (SAFE, "((define-fun p ((x Int)) Bool (and (>= x 0) (<= x 9))))", "the clause evaluates to false"),
        (SAFE, "((define-fun p ((x Int)) Bool false))", "the clause evaluates to false"),
        (liars.SQUARES, liars.BAD_SQUARES, "its negation has this model"),
        (UNSAFE, None, "unrolled to depth 6, lead to false"),
        (UNSAFE, "((define-fun p ((x Int)) Bool", "unrolled to depth 6, lead to false"),
        (SAFE, GOOD, ""),
        (SAFE, None, ""),
        (liars.SQUARES, GOOD_SQUARES, ""),
        (DIVIDED, GOOD_SQUARES, ""),  # true if (div x 0) is x, and a solver may say so
        (SAFE.replace("HORN", "UFLIA"), "((define-fun p ((x Int)) Bool true))", ""),  # an invalid model
    ],
)
def test_wrong_invariants_are_found_and_right_ones_are_not(
    script: str, model: str | None, evidence: str, z3: Lab
) -> None:
    lab = FakeLab({"liar": solver(z3, script, liars.sat(model))})
    finding = ORACLE.find(liars.case_of(script), lab)
    assert (finding is not None) is bool(evidence)
    if finding is not None:
        assert finding.suspects == ("liar",)
        assert evidence in finding.evidence


def test_honest_solvers_are_silent(z3: Lab) -> None:
    for script in (SAFE, UNSAFE, liars.SQUARES):
        assert ORACLE.find(liars.case_of(script), FakeLab({"z3": solver(z3, script, None)})) is None


def unsure(script: str) -> Callable[[str], Reply]:
    return lambda text: liars.sat(liars.BAD_SQUARES) if text == script else "sat"


@pytest.mark.parametrize(
    ("other", "is_found"), [("sat", True), ("unknown", False), ("unsat", False), (None, False)]
)
def test_two_products_that_agree_show_it_without_a_model(other: str | None, is_found: bool) -> None:
    """The suspect itself answers sat to the negation, and so must another product, and nobody unsat."""
    hard = liars.SQUARES.replace("(* x x)", "(* x x x x x)").replace("(> x 0)", "(> (* x x x) 117)")
    replies: dict[str, Callable[[str], Reply]] = {"z3": unsure(hard)}
    if other is not None:
        replies["cvc5"] = lambda text: "unknown" if text == hard else other
    finding = ORACLE.find(liars.case_of(hard), FakeLab(replies))
    assert (finding is not None) is is_found
    assert finding is None or "z3, cvc5 answer sat to its negation" in finding.evidence


def test_the_judge_tells_a_wrong_invariant_from_a_wrong_verdict(z3: Lab) -> None:
    model = "((define-fun p ((x Int)) Bool true))"
    for script, defect, truth in (
        (SAFE, "invalid invariant", None),
        (UNSAFE, "solution unsoundness", Verdict.UNSAT),
    ):
        lab = FakeLab({"liar": solver(z3, script, liars.sat(model))})
        judgement = judge(script, (), ("liar",), lab)
        assert (judgement.defect, judgement.suspects, judgement.truth) == (defect, ("liar",), truth)
        assert judge(script, (), ("z3",), FakeLab({"z3": solver(z3, script, None)})).suspects == ()


def test_a_derivation_decides_who_is_wrong(z3: Lab) -> None:
    lab = FakeLab({"liar": solver(z3, UNSAFE, liars.sat()), "other": solver(z3, UNSAFE, None)})
    judgement = judge(UNSAFE, (), lab.solvers, lab)
    assert (judgement.suspects, judgement.truth) == (("liar",), Verdict.UNSAT)
    assert judgement.evidence[0].kind == "derivation"
    (session,) = open_sessions(UNSAFE, ("other",), lab)
    assert [each.kind for each in evidence_for_verdict(session, Verdict.UNSAT)] == ["derivation"]


def test_a_wrong_sat_is_kept_by_its_derivation_and_stays_horn(z3: Lab) -> None:
    """Reduction needs no second solver; what is not Horn any more is not the same."""

    def liar(text: str) -> Reply:
        answer = z3.ask(Request("z3", text, Want.MODEL))
        return Answer((Verdict.SAT,), FINISHED) if "forall" in text else answer

    case, lab = liars.case_of(UNSAFE), FakeLab({"liar": liar})
    target_suspect = target_of(judge(UNSAFE, (), ("liar",), lab), "invariant", case, lab, ("liar",))
    assert target_suspect is not None
    kept = Kept(target_suspect[0], ("liar",))

    class Closing(FakeLab):
        def close(self) -> None:
            pass

    with SameDefect(case, kept, lambda _limits: Closing({"liar": liar}), Limits()) as same:
        assert "false is derived" in same.manner
        assert same(UNSAFE.replace("(< x 9)", "(< x 10)"))
        assert not same(UNSAFE.replace("(> x 9)", "(> x 30)")), "z3 is wrong no longer: it is sat"
        assert not same(UNSAFE.replace("HORN", "ALL"))
        assert not same(UNSAFE.replace("(=> (= x 0) (p x))", "(or (p x) (p (+ x 1)))"))
