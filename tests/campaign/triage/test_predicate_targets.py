"""Which of several things a reduction keeps, who is asked about it, and with which time limit."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from falsum.campaign.triage.predicate import Manner, ReductionTarget, SameFinding, target_of
from falsum.campaign.triage.symptom import Symptom, SymptomKind

from falsum.errors import UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.fake_lab import FakeLab, Reply
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want

LIMITS = Limits(seconds=20.0)
SCRIPT = "(declare-const x Int)(assert (> x 0))(check-sat)"
X_IS_1 = "((define-fun x () Int 1))"
X_IS_0 = "((define-fun x () Int 0))"
REJECTED = Answer((), Ending(EndingKind.REJECTED, Cause.SYNTAX))
CRASH = Answer((), Ending(EndingKind.CRASHED, Cause.ASSERTION, "oops"))
ALARM = Answer((Verdict.SAT,), Ending(EndingKind.CRASHED, Cause.SELF_CHECK, "an invalid model"))
WRONG = Symptom(SymptomKind.WRONG_VERDICT, truth=Verdict.SAT)


def said(*words: str, model: str | None = None) -> Answer:
    return Answer(tuple(map(Verdict, words)), FINISHED, model=model)


class NotedLab(FakeLab):
    """Notes what it is asked, and whether it is closed."""

    def __init__(self, functions: dict[str, Callable[[str], Reply]]) -> None:
        super().__init__(functions)
        self.requests: list[Request] = []
        self.closed = 0

    def ask(self, request: Request) -> Answer:
        self.requests.append(request)
        return super().ask(request)

    def close(self) -> None:
        self.closed += 1


def says(answer: Answer) -> Callable[[str], Reply]:
    return lambda _text: answer


def lab_of(**answers: Answer | Callable[[str], Reply]) -> NotedLab:
    return NotedLab(
        {name: says(each) if isinstance(each, Answer) else each for name, each in answers.items()}
    )


def target(**answers: Answer) -> ReductionTarget:
    lab = lab_of(**answers)
    found, shown = target_of(lambda _limits: lab, SCRIPT, LIMITS)
    assert shown == SCRIPT
    assert lab.closed == 1
    assert all(request.cold for request in lab.requests)
    return found


@pytest.mark.parametrize(
    ("answers", "kinds", "others"),
    [
        ({"a": CRASH, "b": said("sat"), "c": said("unsat")}, {"a": "crash"}, {"b", "c"}),
        ({"a": ALARM, "b": said("sat"), "c": said("unsat")}, {"c": "wrong verdict"}, set()),
        ({"a": ALARM, "b": CRASH, "c": said("sat")}, {"a": "self-check", "b": "crash"}, {"c"}),
        ({"a": ALARM, "b": said("sat", model=X_IS_0)}, {"a": "self-check"}, set()),
        ({"a": said("sat", model=X_IS_1), "b": said("sat", model=X_IS_0)}, {"b": "invalid model"}, {"a"}),
        ({"a": said("sat"), "b": REJECTED}, {}, {"a", "b"}),
        ({"a": REJECTED, "b": said("unknown")}, {}, {"a", "b"}),
    ],
)
def test_the_gravest_symptom_is_kept(
    answers: dict[str, Answer], kinds: dict[str, str], others: set[str]
) -> None:
    found = target(**answers)
    assert {name: str(symptom.kind) for name, symptom in found.symptoms.items()} == kinds
    assert set(found.endings) == others
    for name, (ending, verdict) in found.endings.items():
        assert ending is answers[name].ending.kind
        assert verdict is (None if kinds else answers[name].verdict)


@pytest.mark.parametrize(
    ("answers", "check", "wrong", "right"),
    [
        ({"a": said("sat", "sat"), "b": said("sat", "unsat")}, 1, {"b"}, ("a",)),
        ({"a": said("unsat", "sat"), "b": said("sat", "unsat")}, 0, {"a"}, ("b",)),
        ({"a": said("unknown", "unsat"), "b": said("sat"), "c": said("sat", "sat")}, 1, {"a"}, ("c",)),
        ({"a": said("sat", "unsat"), "b": said("sat")}, None, set(), ()),
        ({"a": said("unknown"), "b": said("unsat")}, None, set(), ()),
    ],
)
def test_the_first_contradiction_is_kept(
    answers: dict[str, Answer], check: int | None, wrong: set[str], right: tuple[str, ...]
) -> None:
    found = target(**answers)
    assert set(found.symptoms) == wrong
    assert found.references == right
    assert [symptom.check for symptom in found.symptoms.values()] == [check] * len(wrong)
    assert found.truth is (Verdict.SAT if wrong else None)


TWO_CHECKS = "(declare-const x Int)(assert (> x 0))(check-sat)(assert (< x 9))(check-sat)"


def test_a_script_is_cut_after_an_earlier_check_and_all_are_asked_about_it_again() -> None:
    """In fresh processes; those that give no model of it go on as they do."""

    def gives(*models: str) -> Callable[[str], Reply]:
        def answer(text: str) -> Reply:
            checks = text.count("(check-sat)")
            return said(*["sat"] * checks, model=models[checks - 1])

        return answer

    lab = lab_of(wrong=gives(X_IS_0, X_IS_1), right=gives(X_IS_1, X_IS_1), late=said("unknown", "unknown"))
    found, shown = target_of(partial(always, lab), TWO_CHECKS, LIMITS)
    assert shown.count("(check-sat)") == 1
    assert {name: str(symptom.kind) for name, symptom in found.symptoms.items()} == {"wrong": "invalid model"}
    assert found.endings == {"right": (EndingKind.FINISHED, None), "late": (EndingKind.FINISHED, None)}
    assert {request.solver for request in lab.requests if request.script == shown} == {
        "wrong",
        "right",
        "late",
    }
    assert all(request.cold for request in lab.requests)


def test_of_two_checks_the_model_is_that_of_the_first_if_that_is_in_question() -> None:
    text = "(declare-const x Int)(push 1)(assert (> x 0))(check-sat)(pop 1)(assert (< x 0))(check-sat)"

    def right(script: str) -> Reply:
        is_first = script.count("(check-sat)") == 1
        return said(
            *["sat"] * (1 if is_first else 2), model=X_IS_1 if is_first else "((define-fun x () Int (- 1)))"
        )

    lab = lab_of(liar=said("unsat", "sat"), right=right)
    kept = SameFinding(text, ReductionTarget({"liar": WRONG}, ("right",)), partial(always, lab), LIMITS)
    assert kept.manner is Manner.MODEL


def always(lab: NotedLab, _limits: Limits) -> NotedLab:
    return lab


def test_models_are_asked_for_only_if_nothing_else_is_wrong() -> None:
    for answer, wants in (
        (CRASH, {Want.VERDICT}),
        (said("sat"), {Want.VERDICT, Want.MODEL}),
        (said("sat", model=X_IS_0), {Want.VERDICT}),
    ):
        lab = lab_of(a=answer)
        target_of(partial(always, lab), SCRIPT, LIMITS)
        assert {request.want for request in lab.requests} == wants


def test_targets_in_words() -> None:
    slow = Symptom(SymptomKind.SLOW, seconds=2.5)
    assert str(ReductionTarget({"a": slow})) == "slow: a takes more than 2.5 s"
    assert str(target(a=said("sat"), b=REJECTED)) == "answers: a answers sat, b answers rejected"
    both = ReductionTarget({"a": WRONG, "b": WRONG}, ("c",))
    assert str(both) == "wrong verdict: a answers unsat, b answers unsat, c answers sat"


def same(lab: NotedLab, wanted: ReductionTarget, witness: str = "") -> SameFinding:
    return SameFinding(SCRIPT, wanted, lambda _limits: lab, LIMITS, witness)


def test_a_warm_solver_may_take_a_few_times_as_long_as_for_the_last_script_that_held() -> None:
    crash = replace(CRASH, seconds=2.0)

    def crashing(text: str) -> Reply:
        return crash if "x" in text else replace(said("sat"), seconds=9.0)

    lab = lab_of(a=crashing)
    with same(lab, ReductionTarget({"a": Symptom(SymptomKind.CRASH, message="assertion: oops")})) as kept:
        assert kept(SCRIPT)
        assert not kept("(check-sat)")
        assert kept(SCRIPT)
        assert kept.cold(SCRIPT)
    limits = [(request.cold, request.again, request.seconds) for request in lab.requests]
    warm = (False, False, 6.5)
    assert limits == [(True, True, None), warm, warm, warm, (True, True, None)]
    assert lab.closed == 1


def test_cores_and_models_for_a_reduction_are_asked_of_warm_solvers() -> None:
    lab = lab_of(liar=said("unsat"), right=said("sat", model=X_IS_1))
    kept = same(lab, ReductionTarget({"liar": WRONG}, ("right",)))
    lab.requests.clear()
    kept.core_of(SCRIPT)
    kept.model_of(SCRIPT)
    asked = [(each.solver, each.want, each.cold) for each in lab.requests]
    assert asked == [("liar", Want.CORE, False), ("right", Want.MODEL, False)]


def test_a_crash_stays_the_same_to_the_word() -> None:
    def crashing(text: str) -> Reply:
        which = "n" if "x" in text else "m"
        return Answer((), Ending(EndingKind.CRASHED, Cause.ASSERTION, f"{which} > 0 failed at rewriter.cpp"))

    symptom = Symptom(SymptomKind.CRASH, message="assertion: n > 0 failed at rewriter.cpp")
    kept = same(lab_of(a=crashing), ReductionTarget({"a": symptom}))
    assert kept(SCRIPT)
    assert not kept("(check-sat)")


def test_every_thread_has_a_lab_of_its_own() -> None:
    labs: list[NotedLab] = []

    def make(_limits: Limits) -> NotedLab:
        labs.append(lab_of(a=CRASH))
        return labs[-1]

    symptom = Symptom(SymptomKind.CRASH, message="assertion: oops")
    kept = SameFinding(SCRIPT, ReductionTarget({"a": symptom}), make, LIMITS)
    assert kept(SCRIPT)
    thread = threading.Thread(target=kept, args=(SCRIPT,))
    thread.start()
    thread.join()
    assert [len(lab.requests) for lab in labs] == [2, 1]
    kept.close()
    assert [lab.closed for lab in labs] == [1, 1]


def test_who_shows_nothing_is_closed() -> None:
    lab = lab_of(a=said("sat"))
    with pytest.raises(UsageError):
        same(lab, ReductionTarget({"a": Symptom(SymptomKind.CRASH, message="oops")}))
    assert lab.closed == 1


@pytest.mark.parametrize(
    ("reference", "manner"),
    [
        (said("sat", model=X_IS_1), Manner.MODEL),
        (said("sat", model=X_IS_0), Manner.VERDICTS),
        (said("sat"), Manner.VERDICTS),
        (said("unsat", model=X_IS_1), None),
        (said("unknown", model=X_IS_1), None),
    ],
)
def test_a_model_counts_if_its_solver_answers_sat(reference: Answer, manner: Manner | None) -> None:
    lab = lab_of(liar=said("unsat"), right=reference)
    if manner is None:
        with pytest.raises(UsageError):
            same(lab, ReductionTarget({"liar": WRONG}, ("right",)))
        return
    kept = same(lab, ReductionTarget({"liar": WRONG}, ("right",)))
    assert kept.manner is manner
    assert kept.model_of(SCRIPT) == (X_IS_1 if manner is Manner.MODEL else "")
    assert str(kept).endswith(f"; {manner}")
    assert not kept("(assert")  # what cannot be read may turn on anything


def test_one_of_several_references_needs_a_model() -> None:
    target = ReductionTarget({"liar": WRONG}, ("one", "other"))
    lab = lab_of(liar=said("unsat"), one=said("sat"), other=said("sat", model=X_IS_1))
    assert same(lab, target).manner is Manner.MODEL


def test_an_open_point_in_the_first_script_may_stay() -> None:
    """The two choose differently there, but the model holds for every choice."""
    text = "(declare-const x Int)(assert (or (> x 0) (= (div x 0) 7)))(check-sat)"
    lab = lab_of(liar=said("unsat"), right=said("sat", model=X_IS_1))
    target = ReductionTarget({"liar": WRONG}, ("right",))
    kept = SameFinding(text, target, lambda _limits: lab, LIMITS)
    assert kept(text)
    assert not kept("(assert")  # of which nothing is known
    # Where there was none, none is brought in.
    assert same(lab, target)(SCRIPT)
    assert not same(lab, target)(text)


def test_a_witness_is_stronger_than_the_model_of_a_reference() -> None:
    lab = lab_of(liar=said("unsat"), right=said("sat", model=X_IS_1))
    target = ReductionTarget({"liar": WRONG}, ("right",))
    assert same(lab, target, witness=X_IS_1).manner is Manner.WITNESS
    assert same(lab, target, witness=X_IS_0).manner is Manner.MODEL
    # Nothing satisfies what is unsat: a witness shows nothing then.
    wrong = Symptom(SymptomKind.WRONG_VERDICT, truth=Verdict.UNSAT)
    unsat = ReductionTarget({"liar": wrong}, ("right",))
    lab = lab_of(liar=said("sat"), right=said("unsat", model=X_IS_1))
    assert same(lab, unsat, witness=X_IS_1).manner is Manner.VERDICTS
