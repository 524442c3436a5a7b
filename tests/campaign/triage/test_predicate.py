"""What solvers show about the first script they must go on showing."""

from __future__ import annotations

from functools import partial

import pytest
from tests.campaign.places import HONEST
from tests.campaign.places import liar as liar_command

from falsum.campaign.triage.predicate import Manner, ReductionTarget, SameFinding, target_of
from falsum.campaign.triage.symptom import Standing, Symptom, SymptomKind
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
    return SameFinding(SCRIPT, target_of(lambda _: lab, SCRIPT, LIMITS), lambda _: lab, LIMITS)


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
    answer = Answer((Verdict.SAT,), FINISHED, model="((define-fun x () Int 3))")
    assert Symptom(SymptomKind.INVALID_MODEL).standing(answer, text) is Standing.GOOD
    target = target_of(lambda _: OpenLab({"right": lambda _: answer}), text, LIMITS)
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
    kept = SameFinding(SCRIPT, target_of(lambda _: lab, SCRIPT, LIMITS), lambda _: lab, LIMITS)
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
