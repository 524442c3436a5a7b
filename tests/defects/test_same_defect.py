"""Whether a script still shows what another one showed: every branch, with made-up solvers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from falsum.defects.case import Case
from falsum.defects.evidence.judgement import WRONG_VERDICTS, Defect
from falsum.defects.kinds.wrong_verdict.wrong_verdict import Manner
from falsum.defects.same_defect import Kept, SameDefect
from falsum.defects.targets.target import Target
from falsum.errors import UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.fake_lab import FakeLab, Reply
from falsum.solvers.limits import Limits
from falsum.strategies.mutant import Mutant

LIMITS = Limits(seconds=20.0)
THREE = (
    "(declare-const x Int)(assert (> x 0))(check-sat)(push 1)(assert (> x 5))(check-sat)(pop 1)(check-sat)"
)


def said(*words: str, model: str | None = None) -> Answer:
    return Answer(tuple(map(Verdict, words)), FINISHED, model=model)


class OpenLab(FakeLab):
    def close(self) -> None:
        pass


def wrong(*references: str, truth: Verdict = Verdict.SAT, witness: str = "") -> Kept:
    """A wrong verdict of a liar at the second check."""
    defect = str(WRONG_VERDICTS[truth])
    target = Target(defect, check=1, truth=truth, references=references, witness=witness).on(THREE)
    return Kept(target, ("liar",))


def same_of(target_kept: Kept, **solvers: Any) -> SameDefect:
    lab = OpenLab(solvers)
    return SameDefect(Case(Mutant(THREE)), target_kept, lambda _: lab, LIMITS)


def test_all_references_must_confirm_the_verdict() -> None:
    """One that does not is enough: any of two is not all of them."""
    target = wrong("one", "other")
    lying = {"liar": lambda _text: said("sat", "unsat", "sat")}
    right = said("sat", "sat", "sat")
    kept = same_of(target, **lying, one=lambda _: right, other=lambda _: right)
    assert kept.manner == Manner.VERDICTS
    for answer in (said("sat", "unknown", "sat"), said("sat", "unsat", "sat"), said("sat")):
        for solvers in ({"one": right, "other": answer}, {"one": answer, "other": right}):
            fakes = {name: (lambda _text, said=reply: said) for name, reply in solvers.items()}
            with pytest.raises(UsageError, match="nothing shows who is right"):
                same_of(target, **lying, **fakes)


def test_a_wrong_verdict_may_move_to_another_check() -> None:
    target = wrong("right")

    def liar(text: str) -> Reply:
        checks = text.count("(check-sat)")
        return said(*["sat"] * (checks - 1), "unsat") if checks < 3 else said("sat", "unsat", "sat")

    kept = same_of(target, liar=liar, right=lambda text: said(*["sat"] * text.count("(check-sat)")))
    assert kept("(check-sat)")
    assert kept("(check-sat)(check-sat)")
    assert not kept("(check-sat)(check-sat)(check-sat)(check-sat)".replace("(check-sat)", "(push 1)"))


def test_all_suspects_must_be_wrong() -> None:
    """Not at the same check."""
    target = replace(wrong("right"), suspects=("a", "b"))
    right = {"right": lambda _text: said("sat", "sat", "sat")}
    both = {name: (lambda _text: said("sat", "unsat", "sat")) for name in ("a", "b")}
    assert same_of(target, **both, **right)(THREE)
    apart = both | {"b": lambda _text: said("sat", "sat", "unsat")}
    assert same_of(target, **apart, **right)(THREE)
    one = both | {"b": lambda _text: said("sat", "sat", "sat")}
    with pytest.raises(UsageError):
        same_of(target, **one, **right)


def test_the_model_of_a_reference_is_that_of_the_check_in_question() -> None:
    target = wrong("right")

    def right(text: str) -> Reply:
        checks = text.count("(check-sat)")
        values = {1: 1, 2: 6, 3: 1}
        return said(*["sat"] * checks, model=f"((define-fun x () Int {values[checks]}))")

    kept = same_of(target, liar=lambda _text: said("sat", "unsat", "sat"), right=right)
    assert kept.manner == Manner.MODEL
    assert kept.model_of(THREE) == "((define-fun x () Int 1))"
    silent = same_of(
        target,
        liar=lambda _text: said("sat", "unsat", "sat"),
        right=lambda text: said(*["sat"] * text.count("(check-sat)"), model="((define-fun x () Int 1))"),
    )
    assert silent.manner == Manner.VERDICTS
    assert silent.model_of(THREE) == ""


def test_a_witness_is_checked_at_the_check_in_question() -> None:
    lying = {"liar": lambda _text: said("sat", "unsat", "sat")}
    kept = same_of(wrong(witness="((define-fun x () Int 6))"), **lying)
    assert kept.manner == Manner.WITNESS
    assert kept.model_of(THREE) == "((define-fun x () Int 6))"
    assert not kept(THREE.replace("(> x 5)", "(> x 6)"))
    assert kept.cold(THREE)
    with pytest.raises(UsageError):
        same_of(wrong(witness="((define-fun x () Int 1))"), **lying)


def test_others_end_as_they_did() -> None:
    endings = {"other": (EndingKind.FINISHED, (Verdict.SAT,)), "third": (EndingKind.TIMED_OUT, None)}
    target = Kept(Target(Defect.CRASH, message="assertion: oops"), ("a",), endings)
    crashing = Answer((), Ending(EndingKind.CRASHED, Cause.ASSERTION, "oops"))
    timed_out = Answer((), Ending(EndingKind.TIMED_OUT))
    fine = {"a": lambda _t: crashing, "other": lambda _t: said("sat"), "third": lambda _t: timed_out}
    kept = same_of(target, **fine)
    assert kept.manner == ""
    assert kept.core_of(THREE) is None
    for change in (
        {"other": lambda _t: said("unsat")},
        {"other": lambda _t: timed_out},
        {"third": lambda _t: said("sat")},
        {"a": lambda _t: said("sat")},
    ):
        with pytest.raises(UsageError):
            same_of(target, **(fine | change))


def test_a_core_is_asked_of_one_who_answers_unsat() -> None:
    def cores(text: str) -> Reply:
        return Answer((Verdict.SAT, Verdict.UNSAT, Verdict.SAT), FINISHED, core="(falsum!1)")

    target = wrong("right")
    right = {"right": lambda _text: said("sat", "sat", "sat")}
    assert same_of(target, liar=cores, **right).core_of(THREE) == "(falsum!1)"
    target = wrong("right", truth=Verdict.UNSAT)
    kept = same_of(target, liar=lambda _text: said("sat", "sat", "sat"), right=cores)
    assert kept.core_of(THREE) == "(falsum!1)"
    assert str(kept).startswith("solution unsoundness: liar (sat); other solvers confirm")
