"""What solvers show about the first script they must go on showing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from falsum.campaign.triage.predicate import Manner, ReductionTarget, SameFinding, target_of
from falsum.campaign.triage.symptom import Standing, Symptom, SymptomKind
from tests.campaign.places import HONEST
from tests.campaign.places import liar as liar_command

from falsum.errors import UsageError
from falsum.reducer import reduce
from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.fake_lab import FakeLab, Reply
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo

LIMITS = Limits(seconds=20.0)
SCRIPT = """
    (declare-fun x () Int) (declare-fun y () Int)
    (assert (> x 0)) (assert (= (* y 2) 6)) (assert (< (div x 3) 5)) (check-sat)
"""


class OpenLab(FakeLab):
    def close(self) -> None:
        pass


def predicate(**solvers: object) -> SameFinding:
    lab = OpenLab(solvers)  # type: ignore[arg-type]
    target, shown = target_of(lambda _: lab, SCRIPT, LIMITS)
    assert shown == SCRIPT
    return SameFinding(SCRIPT, target, lambda _: lab, LIMITS)


def kinds(kept: SameFinding) -> dict[str, SymptomKind]:
    return {name: symptom.kind for name, symptom in kept.target.symptoms.items()}


def liar(text: str) -> Reply:
    return "unsat" if "div" in text else "sat"


def crash(text: str) -> Reply:
    detail = "Failure at 0x7fff12: unreachable" if "div" in text else "another one"
    ending = Ending(EndingKind.CRASHED, Cause.ASSERTION, detail)
    return Answer((), ending if "(* " in text or "div" in text else FINISHED)


def test_a_disagreement_stays_the_same() -> None:
    kept = predicate(honest=lambda _: "sat", liar=liar)
    assert kinds(kept) == {"liar": SymptomKind.WRONG_VERDICT}
    assert kept.target.references == ("honest",)
    assert kept.manner is Manner.VERDICTS
    result = reduce(read_script(SCRIPT), kept, confirm=kept.cold)
    assert "div" in result.text
    assert len(result.text) < 40
    assert str(kept).startswith("wrong verdict: liar answers unsat, honest answers sat; other solvers")


def test_the_truth_is_shown_again_at_every_step() -> None:
    """A model that our evaluator found right must be right for the smaller script too."""

    def honest(text: str) -> Reply:
        model = "((define-fun x () Int 1) (define-fun y () Int 3))"
        return Answer((Verdict.SAT,), FINISHED, model=model if "> x" in text else None)

    kept = predicate(honest=honest, liar=liar)
    assert kept.manner is Manner.MODEL
    assert not kept("(assert (= (div 1 2) 0))(check-sat)")
    assert not kept("(declare-fun x () Int)(assert (> x (div 9 3)))(check-sat)")
    assert kept("(declare-fun x () Int)(assert (> x (div 1 3)))(check-sat)")


def test_a_crash_stays_the_same_crash() -> None:
    kept = predicate(crashing=crash, other=lambda _: "sat")
    assert kinds(kept) == {"crashing": SymptomKind.CRASH}
    assert kept("(assert (= 0 (div 1 0)))")
    assert not kept("(assert (= 0 (* 1 0)))")
    assert not kept("(check-sat)")
    assert "crash: crashing answers assertion: Failure" in str(kept)
    # The other one must go on accepting the script.
    assert kept.target.endings == {"other": (EndingKind.FINISHED, None)}


def test_an_alarm_is_no_crash() -> None:
    """What a solver says of its own model; where in the script it says so does not matter."""

    def checking(text: str) -> Reply:
        what = "model" if "div" in text else "proof"
        detail = f"line {text.count('(')} column 9: an invalid {what} was generated"
        return Answer((Verdict.SAT,), Ending(EndingKind.CRASHED, Cause.SELF_CHECK, detail))

    kept = predicate(checking=checking, other=lambda text: "sat" if "div" in text else "unknown")
    assert kinds(kept) == {"checking": SymptomKind.SELF_CHECK}
    assert "self-check" in str(kept)
    assert kept("(assert (= 0 (div 1 0)))")
    assert not kept("(assert (= 0 1))")
    assert kept.target.endings == {}
    both = predicate(checking=checking, crashing=crash)
    assert kinds(both) == {"checking": SymptomKind.SELF_CHECK, "crashing": SymptomKind.CRASH}


def test_an_invalid_model_stays_invalid() -> None:
    def sloppy(text: str) -> Reply:
        del text
        return Answer((Verdict.SAT,), FINISHED, model="((define-fun x () Int 0) (define-fun y () Int 3))")

    kept = predicate(sloppy=sloppy)
    assert kinds(kept) == {"sloppy": SymptomKind.INVALID_MODEL}
    result = reduce(read_script(SCRIPT), kept)
    (symptom,) = kept.target.symptoms.values()
    assert symptom.standing(sloppy(result.text), result.text) is Standing.BAD  # type: ignore[arg-type]


INCREMENTAL = """(declare-const x Int)(assert (> (abs x) 3))(check-sat)
(push 1)(assert (> x 7))(check-sat)(pop 1)
(assert (< x 0))(check-sat)"""
# Valid models at the three checks.
VALID = ("4", "8", "(- 9)")


def with_models(*numbers: str, verdicts: tuple[Verdict, ...] = (Verdict.SAT,) * 3) -> Callable[[str], Answer]:
    """A solver that gives these values of x, in the order of the checks; "" stands for no model."""

    def solver(text: str) -> Answer:
        asked = text.count("(check-sat)")
        number = numbers[asked - 1] if asked else ""
        model = f"((define-fun x () Int {number}))" if number else None
        return Answer(verdicts[:asked], FINISHED, model=model)

    return solver


@pytest.mark.parametrize(
    ("numbers", "checks"),
    [
        (("0", "8", "(- 9)"), 1),
        (("4", "0", "(- 9)"), 2),
        (("0", "0", "(- 9)"), 1),
        (("4", "8", "9"), 3),
        (("0", "8", "9"), 3),  # the last check comes first: nothing has to be cut
        (("", "0", "(- 9)"), 2),
    ],
)
def test_invalid_models_are_found_at_every_check(numbers: tuple[str, ...], checks: int) -> None:
    lab = OpenLab({"right": with_models(*VALID), "sloppy": with_models(*numbers)})
    target, shown = target_of(lambda _: lab, INCREMENTAL, LIMITS)
    assert {name: s.kind for name, s in target.symptoms.items()} == {"sloppy": SymptomKind.INVALID_MODEL}
    assert target.endings == {"right": (EndingKind.FINISHED, None)}
    assert shown.count("(check-sat)") == checks
    kept = SameFinding(shown, target, lambda _: lab, LIMITS)
    assert kept(shown)
    assert not kept(INCREMENTAL.replace("(> (abs x) 3)", "true").replace("(> x 7)", "true")[:60])


@pytest.mark.parametrize(
    ("numbers", "verdicts"),
    [
        (VALID, (Verdict.SAT,) * 3),
        (("", "", "(- 9)"), (Verdict.SAT,) * 3),
        (("0", "8", "(- 9)"), (Verdict.UNKNOWN, Verdict.SAT, Verdict.SAT)),
        (("4", "0", ""), (Verdict.SAT, Verdict.UNSAT, Verdict.UNSAT)),
        (("4", "8", ""), (Verdict.SAT, Verdict.SAT)),
    ],
)
def test_models_of_earlier_checks_that_are_no_evidence(
    numbers: tuple[str, ...], verdicts: tuple[Verdict, ...]
) -> None:
    lab = OpenLab({"one": with_models(*numbers, verdicts=verdicts)})
    target, shown = target_of(lambda _: lab, INCREMENTAL, LIMITS)
    assert target == ReductionTarget({}, endings={"one": (EndingKind.FINISHED, verdicts[-1])})
    assert shown == INCREMENTAL


def test_otherwise_verdicts_stay() -> None:
    kept = predicate(one=liar)
    assert kinds(kept) == {}
    assert str(kept) == "answers: one answers unsat"
    assert kept("(assert (= 0 (div 1 0)))")
    assert not kept("(check-sat)")


def test_a_script_nobody_takes_is_refused() -> None:
    rejected = Answer((), Ending(EndingKind.REJECTED, Cause.SYNTAX))
    with pytest.raises(UsageError, match="no solver accepts"):
        predicate(one=lambda _: rejected)


@pytest.mark.parametrize(
    "text",
    [
        "(declare-const x Int)(assert (= x 7))(reset-assertions)(declare-const x Int)(check-sat)",
        "(assert false)(check-sat)(reset-assertions)(declare-const x Int)(assert (= x 3))(check-sat)",
        "(declare-const x Int)(assert (= x 7))(reset)(declare-const x Int)(assert (= x 3))(check-sat)",
        "(declare-const x Int)(assert (= x 3))(check-sat)(exit)(assert false)(check-sat)",
    ],
)
def test_a_model_is_compared_with_what_is_asserted_at_the_last_check(text: str) -> None:
    """A model of what is left after a reset satisfies the script, so it is not an invalid model."""
    verdicts = (Verdict.UNSAT, Verdict.SAT) if text.startswith("(assert false)") else (Verdict.SAT,)
    answer = Answer(verdicts, FINISHED, model="((define-fun x () Int 3))")
    assert Symptom(SymptomKind.INVALID_MODEL).standing(answer, text) is Standing.GOOD
    target, _ = target_of(lambda _: OpenLab({"right": lambda _: answer}), text, LIMITS)
    assert target == ReductionTarget({}, endings={"right": (EndingKind.FINISHED, Verdict.SAT)})


def test_several_solvers_are_wrong_at_the_same_check() -> None:
    def second(text: str) -> Reply:
        return Answer((Verdict.SAT, Verdict.UNSAT if "div" in text else Verdict.SAT), FINISHED)

    def both(text: str) -> Reply:
        return Answer((Verdict.UNSAT, Verdict.UNSAT if "(* " in text else Verdict.SAT), FINISHED)

    kept = predicate(honest=lambda _: Answer((Verdict.SAT, Verdict.SAT), FINISHED), one=second, two=both)
    assert kinds(kept) == {"two": SymptomKind.WRONG_VERDICT}
    lab = OpenLab({"honest": lambda _: Answer((Verdict.SAT,) * 2, FINISHED), "one": second, "two": both})
    wrong = Symptom(SymptomKind.WRONG_VERDICT, check=1, truth=Verdict.SAT)
    target = ReductionTarget({"one": wrong, "two": wrong}, ("honest",))
    together = SameFinding(SCRIPT, target, lambda _: lab, LIMITS)
    assert together("(assert (= (* 1 1) (div 1 1)))(check-sat)(check-sat)")
    assert not together("(assert (= 1 (div 1 1)))(check-sat)(check-sat)")


def test_what_shows_only_with_models_is_asked_with_models() -> None:
    class Lab(OpenLab):
        def ask(self, request: Request) -> Answer:
            if request.want is Want.MODEL and "div" in request.script:
                return Answer((), Ending(EndingKind.CRASHED, Cause.ASSERTION, "no model"))
            return super().ask(request)

    lab = Lab({"one": lambda _: "sat"})
    target, _ = target_of(lambda _: lab, SCRIPT, LIMITS)
    kept = SameFinding(SCRIPT, target, lambda _: lab, LIMITS)
    assert kinds(kept) == {"one": SymptomKind.CRASH}
    assert kept("(assert (= 0 (div 1 0)))(check-sat)")
    assert not kept("(check-sat)")


REAL = "(declare-const x Int)(assert (> (abs x) 3))(check-sat)"


def same_finding(script: str, suspect: Solver, *references: Solver) -> SameFinding:
    wrong = Symptom(SymptomKind.WRONG_VERDICT, truth=Verdict.SAT)
    target = ReductionTarget({suspect.name: wrong}, tuple(solver.name for solver in references))
    return SameFinding(script, target, partial(LiveLab, (suspect, *references)), Limits(seconds=10.0))


def test_somebody_must_know_what_is_right() -> None:
    zoo = Zoo()
    suspect, honest = resolve(liar_command("verdict"), zoo), resolve(HONEST, zoo)
    with pytest.raises(UsageError, match="nothing shows who is right"):
        same_finding(REAL, suspect)
    with pytest.raises(UsageError, match="does not show"):
        same_finding(REAL, honest, honest)
    with same_finding(REAL, suspect, honest) as same:
        assert same.manner in {Manner.MODEL, Manner.VERDICTS}
        assert not same(REAL.replace("abs", "-"))


def test_a_reduction_does_not_slip_to_a_point_left_open() -> None:
    """The suspect is wrong about a division, and may be what it likes about one by zero."""
    zoo = Zoo()
    suspect, honest = resolve(liar_command("verdict", "div"), zoo), resolve("z3", zoo)
    script = "(declare-const x Int)(assert (> (div x 3) 5))(check-sat)"
    with same_finding(script, suspect, honest) as same:
        assert same(script.replace("5", "1"))
        assert not same(script.replace("3", "0"))


# -- every branch of the predicate, with made-up solvers -------------------------------------------

THREE = (
    "(declare-const x Int)(assert (> x 0))(check-sat)(push 1)(assert (> x 5))(check-sat)(pop 1)(check-sat)"
)


def said(*words: str, model: str | None = None) -> Answer:
    return Answer(tuple(map(Verdict, words)), FINISHED, model=model)


def kept_of(target: ReductionTarget, witness: Any = "", **solvers: Any) -> SameFinding:
    lab = OpenLab(solvers)
    return SameFinding(THREE, target, lambda _: lab, LIMITS, witness)


WRONG_SECOND = Symptom(SymptomKind.WRONG_VERDICT, check=1, truth=Verdict.SAT)


def test_all_references_must_confirm_the_verdict() -> None:
    """One that does not is enough: any of two is not all of them."""
    target = ReductionTarget({"liar": WRONG_SECOND}, ("one", "other"))
    lying = {"liar": lambda _text: said("sat", "unsat", "sat")}
    right = said("sat", "sat", "sat")
    kept = kept_of(target, **lying, one=lambda _: right, other=lambda _: right)
    assert kept.manner is Manner.VERDICTS
    for answer in (said("sat", "unknown", "sat"), said("sat", "unsat", "sat"), said("sat")):
        for solvers in ({"one": right, "other": answer}, {"one": answer, "other": right}):
            fakes = {name: (lambda _text, said=reply: said) for name, reply in solvers.items()}
            with pytest.raises(UsageError, match="nothing shows who is right"):
                kept_of(target, **lying, **fakes)


def test_a_wrong_verdict_may_move_to_another_check() -> None:
    target = ReductionTarget({"liar": WRONG_SECOND}, ("right",))

    def liar(text: str) -> Reply:
        checks = text.count("(check-sat)")
        return said(*["sat"] * (checks - 1), "unsat") if checks < 3 else said("sat", "unsat", "sat")

    kept = kept_of(target, liar=liar, right=lambda text: said(*["sat"] * text.count("(check-sat)")))
    assert kept("(check-sat)")
    assert kept("(check-sat)(check-sat)")
    assert not kept("(check-sat)(check-sat)(check-sat)(check-sat)".replace("(check-sat)", "(push 1)"))


def test_several_suspects_must_be_wrong_at_one_check() -> None:
    target = ReductionTarget({"a": WRONG_SECOND, "b": WRONG_SECOND}, ("right",))
    right = {"right": lambda _text: said("sat", "sat", "sat")}
    both = {name: (lambda _text: said("sat", "unsat", "sat")) for name in ("a", "b")}
    assert kept_of(target, **both, **right)(THREE)
    apart = both | {"b": lambda _text: said("sat", "sat", "unsat")}
    with pytest.raises(UsageError):
        kept_of(target, **apart, **right)
    one = both | {"b": lambda _text: said("sat", "sat", "sat")}
    with pytest.raises(UsageError):
        kept_of(target, **one, **right)


def test_the_model_of_a_reference_is_that_of_the_check_in_question() -> None:
    target = ReductionTarget({"liar": WRONG_SECOND}, ("right",))

    def right(text: str) -> Reply:
        checks = text.count("(check-sat)")
        values = {1: 1, 2: 6, 3: 1}
        return said(*["sat"] * checks, model=f"((define-fun x () Int {values[checks]}))")

    kept = kept_of(target, liar=lambda _text: said("sat", "unsat", "sat"), right=right)
    assert kept.manner is Manner.MODEL
    assert kept.model_of(THREE) == "((define-fun x () Int 1))"
    silent = kept_of(
        target,
        liar=lambda _text: said("sat", "unsat", "sat"),
        right=lambda text: said(*["sat"] * text.count("(check-sat)"), model="((define-fun x () Int 1))"),
    )
    assert silent.manner is Manner.VERDICTS
    assert silent.model_of(THREE) == ""


def test_a_witness_is_checked_at_the_check_in_question() -> None:
    target = ReductionTarget({"liar": WRONG_SECOND})
    lying = {"liar": lambda _text: said("sat", "unsat", "sat")}
    kept = kept_of(target, witness="((define-fun x () Int 6))", **lying)
    assert kept.manner is Manner.WITNESS
    assert kept.model_of(THREE) == kept.witness
    assert not kept(THREE.replace("(> x 5)", "(> x 6)"))
    assert kept.cold(THREE)
    with pytest.raises(UsageError):
        kept_of(target, witness="((define-fun x () Int 1))", **lying)


def test_others_end_as_they_did() -> None:
    endings = {"other": (EndingKind.FINISHED, Verdict.SAT), "third": (EndingKind.TIMED_OUT, None)}
    crash = Symptom(SymptomKind.CRASH, message="assertion: oops")
    target = ReductionTarget({"a": crash}, endings=endings)
    crashing = Answer((), Ending(EndingKind.CRASHED, Cause.ASSERTION, "oops"))
    timed_out = Answer((), Ending(EndingKind.TIMED_OUT))
    fine = {"a": lambda _t: crashing, "other": lambda _t: said("sat"), "third": lambda _t: timed_out}
    kept = kept_of(target, **fine)
    assert kept.manner is Manner.NONE
    assert kept.core_of(THREE) is None
    for change in (
        {"other": lambda _t: said("unsat")},
        {"other": lambda _t: timed_out},
        {"third": lambda _t: said("sat")},
        {"a": lambda _t: said("sat")},
    ):
        with pytest.raises(UsageError):
            kept_of(target, **(fine | change))


def test_a_core_is_asked_of_one_who_answers_unsat() -> None:
    def cores(text: str) -> Reply:
        return Answer((Verdict.SAT, Verdict.UNSAT, Verdict.SAT), FINISHED, core="(falsum!1)")

    target = ReductionTarget({"liar": WRONG_SECOND}, ("right",))
    right = {"right": lambda _text: said("sat", "sat", "sat")}
    assert kept_of(target, liar=cores, **right).core_of(THREE) == "(falsum!1)"
    opposite = Symptom(SymptomKind.WRONG_VERDICT, check=1, truth=Verdict.UNSAT)
    target = ReductionTarget({"liar": opposite}, ("right",))
    kept = kept_of(target, liar=lambda _text: said("sat", "sat", "sat"), right=cores)
    assert kept.core_of(THREE) == "(falsum!1)"
    assert str(kept).startswith("wrong verdict: liar answers sat, right answers unsat; other solvers confirm")


class Asked(OpenLab):
    """A lab that remembers how it was asked."""

    def __init__(self, **solvers: Any) -> None:
        super().__init__(solvers)
        self.requests: list[Request] = []

    def ask(self, request: Request) -> Answer:
        self.requests.append(request)
        return super().ask(request)


def test_called_it_asks_warm_solvers_and_cold_fresh_ones() -> None:
    lab = Asked(a=lambda _text: Answer((), Ending(EndingKind.CRASHED, Cause.ASSERTION, "oops")))
    target = ReductionTarget({"a": Symptom(SymptomKind.CRASH, message="assertion: oops")})
    kept = SameFinding(THREE, target, lambda _: lab, LIMITS)
    assert all(request.cold and request.again for request in lab.requests)
    lab.requests.clear()
    assert kept(THREE)
    assert not any(request.cold or request.again for request in lab.requests)
    lab.requests.clear()
    assert kept.cold(THREE)
    assert all(request.cold and request.again and request.seconds is None for request in lab.requests)
