"""Who is asked about a smaller script, how and for how long; and in which manner the truth is shown."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

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
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Mutant

LIMITS = Limits(seconds=20.0)
SCRIPT = "(declare-const x Int)(assert (> x 0))(check-sat)"
X_IS_1 = "((define-fun x () Int 1))"
X_IS_0 = "((define-fun x () Int 0))"
REJECTED = Answer((), Ending(EndingKind.REJECTED, Cause.SYNTAX))
ALARM = Answer((Verdict.SAT,), Ending(EndingKind.CRASHED, Cause.SELF_CHECK, "an invalid model"))
CRASH = Answer((), Ending(EndingKind.CRASHED, Cause.ASSERTION, "oops"))


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


def same(lab: NotedLab, target_kept: Kept, script: str = SCRIPT) -> SameDefect:
    return SameDefect(Case(Mutant(script)), target_kept, lambda _limits: lab, LIMITS)


def lying(*references: str, truth: Verdict = Verdict.SAT, witness: str = "") -> Kept:
    """A wrong verdict of a liar at the only check."""
    defect = str(WRONG_VERDICTS[truth])
    target = Target(defect, truth=truth, references=references, witness=witness).on(SCRIPT)
    return Kept(target, ("liar",))


def crashing_as(message: str) -> Kept:
    return Kept(Target(Defect.CRASH, message=message), ("a",))


def test_a_warm_solver_may_take_a_few_times_as_long_as_for_the_last_script_that_held() -> None:
    crash = replace(CRASH, seconds=2.0)

    def crashing(text: str) -> Reply:
        return crash if "x" in text else replace(said("sat"), seconds=9.0)

    lab = lab_of(a=crashing)
    with same(lab, crashing_as("assertion: oops")) as kept:
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
    kept = same(lab, lying("right"))
    lab.requests.clear()
    kept.core_of(SCRIPT)
    kept.model_of(SCRIPT)
    asked = [(each.solver, each.want, each.cold) for each in lab.requests]
    assert asked == [("liar", Want.CORE, False), ("right", Want.MODEL, False)]


def test_a_crash_stays_the_same_to_the_word() -> None:
    def crashing(text: str) -> Reply:
        which = "n" if "x" in text else "m"
        return Answer((), Ending(EndingKind.CRASHED, Cause.ASSERTION, f"{which} > 0 failed at rewriter.cpp"))

    kept_crash = crashing_as("assertion: n > 0 failed at rewriter.cpp")
    kept = same(lab_of(a=crashing), kept_crash)
    assert kept(SCRIPT)
    assert not kept("(check-sat)")


def test_every_thread_has_a_lab_of_its_own() -> None:
    labs: list[NotedLab] = []

    def make(_limits: Limits) -> NotedLab:
        labs.append(lab_of(a=CRASH))
        return labs[-1]

    kept_crash = crashing_as("assertion: oops")
    kept = SameDefect(Case(Mutant(SCRIPT)), kept_crash, make, LIMITS)
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
        same(lab, crashing_as("oops"))
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
            same(lab, lying("right"))
        return
    kept = same(lab, lying("right"))
    assert kept.manner == manner
    assert kept.model_of(SCRIPT) == (X_IS_1 if manner == Manner.MODEL else "")
    assert str(kept).endswith(f"; {manner}")
    assert not kept("(assert")  # what cannot be read may turn on anything


def test_one_of_several_references_needs_a_model() -> None:
    target = lying("one", "other")
    lab = lab_of(liar=said("unsat"), one=said("sat"), other=said("sat", model=X_IS_1))
    assert same(lab, target).manner == Manner.MODEL


def test_an_open_point_in_the_first_script_may_stay() -> None:
    """The two choose differently there, but the model holds for every choice."""
    text = "(declare-const x Int)(assert (or (> x 0) (= (div x 0) 7)))(check-sat)"
    lab = lab_of(liar=said("unsat"), right=said("sat", model=X_IS_1))
    target = lying("right")
    kept = same(lab, target, text)
    assert kept(text)
    assert not kept("(assert")  # of which nothing is known
    # Where there was none, none is brought in.
    assert same(lab, target)(SCRIPT)
    assert not same(lab, target)(text)


def test_a_witness_is_stronger_than_the_model_of_a_reference() -> None:
    lab = lab_of(liar=said("unsat"), right=said("sat", model=X_IS_1))
    assert same(lab, lying("right", witness=X_IS_1)).manner == Manner.WITNESS
    assert same(lab, lying("right", witness=X_IS_0)).manner == Manner.MODEL
    # Nothing satisfies what is unsat: a witness shows nothing then.
    unsat = lying("right", truth=Verdict.UNSAT, witness=X_IS_1)
    lab = lab_of(liar=said("sat"), right=said("unsat", model=X_IS_1))
    assert same(lab, unsat).manner == Manner.VERDICTS


def test_called_it_asks_warm_solvers_and_cold_fresh_ones() -> None:
    lab = lab_of(a=CRASH)
    kept = same(lab, crashing_as("assertion: oops"))
    assert all(request.cold and request.again for request in lab.requests)
    lab.requests.clear()
    assert kept(SCRIPT)
    assert not any(request.cold or request.again for request in lab.requests)
    lab.requests.clear()
    assert kept.cold(SCRIPT)
    assert all(request.cold and request.again and request.seconds is None for request in lab.requests)
