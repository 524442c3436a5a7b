"""Symptoms: which answers show them, at which check, and which leave it open."""

from __future__ import annotations

import pytest

from falsum.campaign.triage.symptom import Standing, Symptom, SymptomKind, symptom_of
from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.request import Want
from falsum.store import replay_script

SAT, UNSAT, UNKNOWN = Verdict.SAT, Verdict.UNSAT, Verdict.UNKNOWN
BAD, GOOD = Standing.BAD, Standing.GOOD
THREE = (
    "(declare-const x Int)(assert (> x 0))(check-sat)(push 1)(assert (> x 5))(check-sat)(pop 1)(check-sat)"
)
REJECTED = Answer((), Ending(EndingKind.REJECTED, Cause.UNSUPPORTED, "no"))
TIMED_OUT = Answer((), Ending(EndingKind.TIMED_OUT))


def said(*verdicts: Verdict, model: str | None = None) -> Answer:
    return Answer(verdicts, FINISHED, model=model)


def crashed(message: str, cause: Cause = Cause.ASSERTION, *verdicts: Verdict) -> Answer:
    return Answer(verdicts, Ending(EndingKind.CRASHED, cause, message))


CRASH = crashed("n > 0 failed at rewriter.cpp:12")
ALARM = crashed("invalid model after 12 steps", Cause.SELF_CHECK)
WRONG = Symptom(SymptomKind.WRONG_VERDICT, check=1, truth=SAT)


@pytest.mark.parametrize(
    ("answer", "standing"),
    [
        (said(SAT, UNSAT, SAT), BAD),
        (said(SAT, SAT, UNSAT), GOOD),
        (said(UNSAT, SAT, UNSAT), GOOD),
        (said(SAT, UNKNOWN, UNSAT), Standing.UNKNOWN),
        (said(SAT), Standing.UNKNOWN),
        (Answer((SAT, UNSAT), Ending(EndingKind.TIMED_OUT)), BAD),
        (Answer((SAT,), Ending(EndingKind.TIMED_OUT)), Standing.TIMED_OUT),
        (REJECTED, Standing.REJECTS),
        (crashed("oops", Cause.SIGNAL, SAT, UNSAT), Standing.CRASHES),
        (crashed("oops", Cause.SELF_CHECK, SAT, UNSAT), BAD),
    ],
)
def test_a_wrong_verdict_is_looked_for_at_its_check(answer: Answer, standing: Standing) -> None:
    assert WRONG.standing(answer, THREE) is standing
    assert WRONG.observed == "unsat"
    assert Symptom(SymptomKind.WRONG_VERDICT, truth=UNSAT).observed == "sat"


def test_a_wrong_verdict_without_a_check_is_that_of_the_first() -> None:
    first = Symptom(SymptomKind.WRONG_VERDICT, truth=SAT)
    assert first.standing(said(UNSAT, SAT, SAT), THREE) is BAD
    assert first.standing(said(SAT, UNSAT, SAT), THREE) is GOOD


@pytest.mark.parametrize(
    ("answer", "standing"),
    [
        (said(SAT, SAT, SAT, model="((define-fun x () Int 0))"), BAD),
        (said(SAT, SAT, SAT, model="((define-fun x () Int 1))"), GOOD),
        (said(SAT, SAT, SAT, model="((define-fun x () Int (frob)))"), Standing.UNKNOWN),
        (said(SAT, SAT, SAT), Standing.UNKNOWN),
        (said(SAT, SAT, UNSAT, model="((define-fun x () Int 0))"), GOOD),
        (said(SAT, SAT, UNKNOWN, model="((define-fun x () Int 0))"), Standing.UNKNOWN),
        (REJECTED, Standing.REJECTS),
        (TIMED_OUT, Standing.TIMED_OUT),
        (CRASH, Standing.CRASHES),
    ],
)
def test_a_model_is_that_of_the_last_check(answer: Answer, standing: Standing) -> None:
    symptom = Symptom(SymptomKind.INVALID_MODEL, Want.MODEL)
    assert symptom.standing(answer, THREE) is standing
    assert symptom.observed == "sat, with an invalid model"
    if standing is BAD:
        assert symptom.standing(answer, "(assert") is Standing.UNKNOWN
        assert symptom.standing(answer, "(declare-const x Int)") is Standing.UNKNOWN


@pytest.mark.parametrize(
    ("answer", "standing", "strictly"),
    [
        (CRASH, BAD, BAD),
        (crashed("n > 0 failed at rewriter.cpp:77"), BAD, BAD),
        (crashed("m > 0 failed at rewriter.cpp:12"), BAD, Standing.CRASHES),
        (crashed("something else entirely"), Standing.CRASHES, Standing.CRASHES),
        (crashed("n > 0 failed at rewriter.cpp:12", Cause.SIGNAL), Standing.CRASHES, Standing.CRASHES),
        (ALARM, Standing.TIMED_OUT, Standing.TIMED_OUT),
        (crashed("invalid model", Cause.SELF_CHECK, SAT), GOOD, GOOD),
        (said(SAT), GOOD, GOOD),
        (said(UNKNOWN), GOOD, GOOD),
        (said(), Standing.UNKNOWN, Standing.UNKNOWN),
        (Answer((SAT,), Ending(EndingKind.TIMED_OUT)), Standing.TIMED_OUT, Standing.TIMED_OUT),
        (TIMED_OUT, Standing.TIMED_OUT, Standing.TIMED_OUT),
        (REJECTED, Standing.REJECTS, Standing.REJECTS),
    ],
)
def test_a_crash_is_the_same_by_cause_and_message(
    answer: Answer, standing: Standing, strictly: Standing
) -> None:
    symptom = Symptom(SymptomKind.CRASH, message=CRASH.ending.message)
    assert symptom.standing(answer, THREE) is standing
    assert symptom.standing(answer, THREE, strictly=True) is strictly
    assert symptom.observed == CRASH.ending.message


@pytest.mark.parametrize(
    ("answer", "standing"),
    [
        (crashed("invalid model after 99 steps", Cause.SELF_CHECK), BAD),
        (crashed("wrong core", Cause.SELF_CHECK), Standing.CRASHES),
        (CRASH, Standing.CRASHES),
        (said(SAT), GOOD),
        (REJECTED, Standing.REJECTS),
    ],
)
def test_an_alarm_is_the_same_by_its_words(answer: Answer, standing: Standing) -> None:
    symptom = Symptom(SymptomKind.SELF_CHECK, message="invalid model after   steps")
    assert symptom.standing(answer, THREE) is standing


@pytest.mark.parametrize(
    ("answer", "standing"),
    [
        (said(SAT, UNKNOWN, SAT), BAD),
        (said(UNKNOWN, SAT, UNKNOWN), GOOD),
        (said(UNKNOWN, UNSAT), GOOD),
        (said(UNKNOWN), Standing.UNKNOWN),
        (TIMED_OUT, Standing.TIMED_OUT),
        (REJECTED, Standing.REJECTS),
        (CRASH, Standing.CRASHES),
    ],
)
def test_giving_up_is_looked_for_at_its_check(answer: Answer, standing: Standing) -> None:
    symptom = Symptom(SymptomKind.UNKNOWN, check=1)
    assert symptom.standing(answer, THREE) is standing
    assert symptom.observed == "unknown"


def took(seconds: float, cpu: float, answer: Answer = TIMED_OUT) -> Answer:
    return Answer(answer.verdicts, answer.ending, seconds=seconds, cpu=cpu)


@pytest.mark.parametrize(
    ("answer", "standing"),
    [
        (took(60.0, 5.0), BAD),
        (took(5.0, 5.0, said(SAT)), BAD),
        (took(60.0, 4.9), Standing.TIMED_OUT),  # on a busy machine
        (took(60.0, 4.9, said(SAT)), GOOD),
        (took(5.0, 0.0), BAD),  # its CPU time is not known
        (took(4.9, 0.0, said(UNSAT)), GOOD),
        (took(0.1, 0.1, REJECTED), Standing.REJECTS),
        (took(9.0, 9.0, CRASH), Standing.CRASHES),
    ],
)
def test_slow_is_who_takes_so_much_cpu_time(answer: Answer, standing: Standing) -> None:
    symptom = Symptom(SymptomKind.SLOW, seconds=5.0)
    assert symptom.standing(answer, THREE) is standing
    assert symptom.observed == "no answer within 5 s"


def test_calls_of_a_library_show_in_no_script() -> None:
    assert Symptom(SymptomKind.CALLS).standing(said(SAT), THREE) is Standing.UNKNOWN


def test_how_a_replay_recognises_a_symptom() -> None:
    for symptom, answer in (
        (Symptom(SymptomKind.WRONG_VERDICT, check=1, truth=SAT), said(SAT, UNSAT)),
        (Symptom(SymptomKind.UNKNOWN, check=1), said(SAT, UNKNOWN)),
    ):
        assert symptom.seen(answer) == replay_script.verdict_seen(1, symptom.observed)
    after_a_gap = Symptom(SymptomKind.WRONG_VERDICT, check=2, truth=SAT)
    assert after_a_gap.seen(said(SAT, Verdict.MISSING, UNSAT)) == replay_script.verdict_seen(1, "unsat")
    model = said(SAT, model="((define-fun x () Int 0))")
    assert Symptom(SymptomKind.INVALID_MODEL).seen(model) == replay_script.model_seen()
    crash = replay_script.crash_seen(str(CRASH.ending.cause), CRASH.ending.detail)
    assert Symptom(SymptomKind.CRASH).seen(CRASH) == crash


def judgement(defect: Defect, truth: Verdict | None = None, check: int = 0) -> Judgement:
    return Judgement(defect, ("a", "b"), truth, (), check)


def test_the_symptom_of_a_judgement() -> None:
    answers = {"a": said(SAT), "b": CRASH, "c": ALARM}
    wrong = symptom_of(judgement(Defect.REFUTATION_UNSOUNDNESS, SAT, 2), Want.CORE, answers)
    assert wrong == Symptom(SymptomKind.WRONG_VERDICT, Want.CORE, 2, SAT)
    assert symptom_of(judgement(Defect.SOLUTION_UNSOUNDNESS), Want.VERDICT, answers) is None
    model = symptom_of(judgement(Defect.INVALID_MODEL), Want.VERDICT, answers)
    assert model == Symptom(SymptomKind.INVALID_MODEL, Want.MODEL)
    crash = symptom_of(judgement(Defect.CRASH), Want.MODEL, answers)
    assert crash == Symptom(SymptomKind.CRASH, Want.MODEL, message=CRASH.ending.message)
    assert symptom_of(judgement(Defect.CRASH), Want.MODEL, {"c": ALARM, "a": said(SAT)}) is None
    assert symptom_of(judgement(Defect.UNDECIDED), Want.VERDICT, answers) is None
    unknown = symptom_of(judgement(Defect.INCOMPLETENESS, check=2), Want.MODEL, answers)
    assert unknown == Symptom(SymptomKind.UNKNOWN, Want.MODEL, 2)


def test_slow_is_half_of_what_a_suspect_takes() -> None:
    """Of CPU time where it is known, and with room for a faster machine."""
    for answer in (took(30.0, 10.1234), took(10.1234, 0.0)):
        for answers in ({"a": answer, "b": took(1.0, 1.0)}, {"b": answer}):
            slow = symptom_of(judgement(Defect.SLOW), Want.VERDICT, answers)
            assert slow == Symptom(SymptomKind.SLOW, seconds=5.062)
    assert symptom_of(judgement(Defect.SLOW), Want.VERDICT, {"c": took(9.0, 9.0)}) is None


def test_standings_that_decide() -> None:
    assert {standing for standing in Standing if standing.decided} == {BAD, GOOD}
    assert Standing("rejects it") is Standing.REJECTS
