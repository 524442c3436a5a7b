"""What solvers show about the first script they must go on showing, for every kind that one answer shows."""

from __future__ import annotations

from functools import partial

import pytest
from tests.campaign.places import HONEST
from tests.campaign.places import liar as liar_command
from tests.defects.test_same_defect_requests import X_IS_0, X_IS_1, NotedLab, lab_of, said

from falsum.defects.case import Case
from falsum.defects.evidence.judgement import Defect
from falsum.defects.kinds.crash import alarm_target
from falsum.defects.kinds.wrong_verdict.wrong_verdict import Manner
from falsum.defects.same_defect import Kept, SameDefect
from falsum.defects.targets.target import Target
from falsum.errors import UsageError
from falsum.reducer import reduce
from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Mutant

LIMITS = Limits(seconds=20.0)
SCRIPT = """
    (declare-fun x () Int) (declare-fun y () Int)
    (assert (> x 0)) (assert (= (* y 2) 6)) (assert (< (div x 3) 5)) (check-sat)
"""
TEXT = "(declare-const x Int)(assert (> (abs x) 3))(check-sat)"
CRASH = Target(Defect.CRASH, message="assertion: Failure at 0x7fff12: unreachable")


def refutation(*references: str, text: str = SCRIPT) -> Target:
    """A wrong unsat."""
    return Target(Defect.REFUTATION_UNSOUNDNESS, truth=Verdict.SAT, references=references).on(text)


def same(target_kept: Kept, lab: NotedLab, text: str = SCRIPT) -> SameDefect:
    return SameDefect(Case(Mutant(text)), target_kept, lambda _limits: lab, LIMITS)


def liar(text: str) -> Answer:
    return said("unsat" if "div" in text else "sat")


def crash(text: str) -> Answer:
    detail = "Failure at 0x7fff12: unreachable" if "x" in text else "Failure at 0x7abc99: unreachable"
    detail = detail if "div" in text else "another one"
    ending = Ending(EndingKind.CRASHED, Cause.ASSERTION, detail)
    return Answer((), ending if "(* " in text or "div" in text else FINISHED)


def test_a_wrong_verdict_stays_wrong() -> None:
    kept = same(Kept(refutation("honest"), ("liar",)), lab_of(honest=said("sat"), liar=liar))
    assert kept.manner == Manner.VERDICTS
    assert str(kept) == "refutation unsoundness: liar (unsat); other solvers confirm the verdict"
    result = reduce(read_script(SCRIPT), kept, confirm=kept.cold)
    assert "div" in result.text
    assert len(result.text) < 40


def test_the_truth_is_shown_again_at_every_step() -> None:
    """A model that our evaluator found right must be right for the smaller script too."""

    def honest(text: str) -> Answer:
        model = "((define-fun x () Int 1) (define-fun y () Int 3))"
        return said("sat", model=model if "> x" in text else None)

    kept = same(Kept(refutation("honest"), ("liar",)), lab_of(honest=honest, liar=liar))
    assert kept.manner == Manner.MODEL
    assert not kept("(assert (= (div 1 2) 0))(check-sat)")
    assert not kept("(declare-fun x () Int)(assert (> x (div 9 3)))(check-sat)")
    assert kept("(declare-fun x () Int)(assert (> x (div 1 3)))(check-sat)")


def test_a_crash_stays_the_same_crash() -> None:
    endings = {"other": (EndingKind.FINISHED, None)}
    kept = same(Kept(CRASH, ("crashing",), endings), lab_of(crashing=crash, other=said("sat")))
    assert kept("(assert (= 0 (div 1 0)))")
    assert not kept("(assert (= 0 (* 1 0)))")
    assert not kept("(check-sat)")
    assert str(kept) == f"crash: crashing ({CRASH.message})"


def test_others_must_go_on_accepting_the_script() -> None:
    def other(text: str) -> Answer:
        rejected = Answer((), Ending(EndingKind.REJECTED, Cause.SYNTAX))
        return said("sat") if "declare" in text else rejected

    endings = {"other": (EndingKind.FINISHED, None)}
    kept = same(Kept(CRASH, ("crashing",), endings), lab_of(crashing=crash, other=other))
    assert kept("(declare-const x Int)(assert (= 0 (div x 0)))")
    assert not kept("(assert (= 0 (div 1 0)))")


def test_what_a_solver_says_of_its_own_model_stays() -> None:
    """Where in the script it says so does not matter."""

    def checking(text: str) -> Answer:
        what = "model" if "div" in text else "proof"
        detail = f"line {text.count('(')} column 9: an invalid {what} was generated"
        return Answer((Verdict.SAT,), Ending(EndingKind.CRASHED, Cause.SELF_CHECK, detail))

    target = alarm_target(checking(SCRIPT), Want.VERDICT)
    assert target is not None
    kept = same(Kept(target, ("checking",)), lab_of(checking=checking))
    assert str(kept).startswith("crash: checking (self-check: ")
    assert kept("(assert (= 0 (div 1 0)))")
    assert not kept("(assert (= 0 1))")


def test_an_invalid_model_stays_invalid() -> None:
    """Of every script, until nothing is asserted that it makes false."""
    sloppy = said("sat", model="((define-fun x () Int 0) (define-fun y () Int 3))")
    target = Target(Defect.INVALID_MODEL, want=Want.MODEL).on(SCRIPT)
    kept = same(Kept(target, ("sloppy",)), lab_of(sloppy=sloppy))
    assert str(kept) == "invalid model: sloppy (sat, with an invalid model)"
    result = reduce(read_script(SCRIPT), kept, confirm=kept.cold)
    assert result.is_confirmed
    assert len(result.text) < len(SCRIPT)
    assert kept(result.text)
    assert not kept("(declare-const x Int)(assert (< x 1))(check-sat)")


def test_answers_stay_if_nothing_is_wrong_with_them() -> None:
    lab = lab_of(one=liar)
    kept = same(Kept(None, (), {"one": (EndingKind.FINISHED, (Verdict.UNSAT,))}), lab)
    assert str(kept) == "answers: one answers unsat"
    assert kept.manner == ""
    assert kept("(assert (= 0 (div 1 0)))")
    assert not kept("(check-sat)")
    assert (kept.core_of(SCRIPT), kept.model_of(SCRIPT), kept.wrong_request(SCRIPT)) == (None, "", None)


@pytest.mark.parametrize(
    ("target_kept", "words"),
    [
        (
            Kept(Target(Defect.SLOW, seconds=2.5), ("a",)),
            "slow: a (no answer within 2.5 s)",
        ),
        (
            Kept(None, (), {"a": (EndingKind.FINISHED, (Verdict.SAT,)), "b": (EndingKind.REJECTED, ())}),
            "answers: a answers sat, b answers rejected",
        ),
        (Kept(refutation("c"), ("a", "b")), "refutation unsoundness: a, b (unsat)"),
        (Kept(Target(Defect.WRONG_CORE, "core"), ("a",)), "wrong core: a (wrong core)"),
    ],
)
def test_what_is_kept_in_words(target_kept: Kept, words: str) -> None:
    assert str(target_kept) == words


def test_what_shows_only_with_models_is_asked_with_models() -> None:
    class Lab(NotedLab):
        def ask(self, request: Request) -> Answer:
            if request.want is Want.MODEL and "div" in request.script:
                return Answer((), Ending(EndingKind.CRASHED, Cause.ASSERTION, "no model"))
            return super().ask(request)

    target = Target(Defect.CRASH, want=Want.MODEL, message="assertion: no model")
    kept = same(Kept(target, ("one",)), Lab({"one": lambda _: "sat"}))
    assert kept("(assert (= 0 (div 1 0)))(check-sat)")
    assert not kept("(check-sat)")


def test_of_two_checks_the_model_is_that_of_the_first_if_that_is_in_question() -> None:
    text = "(declare-const x Int)(push 1)(assert (> x 0))(check-sat)(pop 1)(assert (< x 0))(check-sat)"

    def right(script: str) -> Answer:
        if script.count("(check-sat)") == 1:
            return said("sat", model=X_IS_1)
        return said("sat", "sat", model="((define-fun x () Int (- 1)))")

    lab = lab_of(liar=said("unsat", "sat"), right=right)
    assert same(Kept(refutation("right", text=text), ("liar",)), lab, text).manner == Manner.MODEL
    # The last model is right for neither check here, and nobody says what the first one is.
    lab = lab_of(liar=said("unsat", "sat"), right=said("sat", "sat", model=X_IS_0))
    assert same(Kept(refutation("right", text=text), ("liar",)), lab, text).manner == Manner.VERDICTS


def live(text: str, suspect: Solver, *references: Solver) -> SameDefect:
    """Real processes: a suspect that answers unsat."""
    kept = Kept(refutation(*(solver.name for solver in references), text=text), (suspect.name,))
    labs = partial(LiveLab, (suspect, *references))
    return SameDefect(Case(Mutant(text)), kept, labs, Limits(seconds=10.0))


def test_somebody_must_know_what_is_right() -> None:
    zoo = Zoo()
    suspect, honest = resolve(liar_command("verdict"), zoo), resolve(HONEST, zoo)
    with pytest.raises(UsageError, match="nothing shows who is right"):
        live(TEXT.replace("abs", "-"), suspect, honest)
    with pytest.raises(UsageError, match="does not show"):
        live(TEXT, honest, honest)
    with live(TEXT, suspect, honest) as kept:
        assert kept.manner in {Manner.MODEL, Manner.VERDICTS}
        assert not kept(TEXT.replace("abs", "-"))


def test_a_reduction_does_not_slip_to_a_point_left_open() -> None:
    """The suspect is wrong about a division, and may be what it likes about one by zero."""
    zoo = Zoo()
    suspect, honest = resolve(liar_command("verdict", "div"), zoo), resolve("z3", zoo)
    script = "(declare-const x Int)(assert (> (div x 3) 5))(check-sat)"
    with live(script, suspect, honest) as kept:
        assert kept(script.replace("5", "1"))
        assert not kept(script.replace("3", "0"))
