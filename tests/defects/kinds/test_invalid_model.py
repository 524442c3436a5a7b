"""Invalid models: which answers show one, and how it is looked for."""

from __future__ import annotations

import pytest
from tests.defects.kinds import asked
from tests.defects.kinds.asked import BAD, GOOD, REJECTED, SAT, TIMED_OUT, UNKNOWN, UNSAT, crashed, verdicts

from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.judge import judge
from falsum.defects.table import kind_named
from falsum.defects.targets.recognition import Sign, SignKind
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.fake_lab import FakeLab
from falsum.solvers.request import Want

MODEL = kind_named(Defect.INVALID_MODEL)
WRONG = Target(Defect.INVALID_MODEL, want=Want.MODEL)


@pytest.mark.parametrize(
    ("answer", "standing"),
    [
        (verdicts(SAT, SAT, SAT, model="((define-fun x () Int 0))"), BAD),
        (verdicts(SAT, SAT, SAT, model="((define-fun x () Int 1))"), GOOD),
        (verdicts(SAT, SAT, SAT, model="((define-fun x () Int (frob)))"), Standing.UNKNOWN),
        (verdicts(SAT, SAT, SAT), Standing.UNKNOWN),
        (verdicts(SAT, SAT, UNSAT, model="((define-fun x () Int 0))"), GOOD),
        (verdicts(SAT, SAT, UNKNOWN, model="((define-fun x () Int 0))"), Standing.UNKNOWN),
        (REJECTED, Standing.REJECTS),
        (TIMED_OUT, Standing.TIMED_OUT),
        (crashed("n > 0 failed at rewriter.cpp:12"), Standing.CRASHES),
    ],
)
def test_a_model_is_that_of_the_last_check(answer: Answer, standing: Standing) -> None:
    assert asked.standing(WRONG, answer) is standing
    assert MODEL.observed(WRONG) == "sat, with an invalid model"
    if standing is BAD:
        assert asked.standing(WRONG, answer, "(assert") is Standing.UNKNOWN
        assert asked.standing(WRONG, answer, "(declare-const x Int)") is Standing.UNKNOWN


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
    assert asked.standing(WRONG, answer, text) is GOOD
    lab = FakeLab({"right": lambda _text: answer})
    assert judge(text, (), lab.solvers, lab).defect == Defect.UNDECIDED


SCRIPT = "(declare-const x Int)(assert (> x 0))(check-sat)"
STRINGS = "(declare-const s String)(assert (= (str.len s) 1))(check-sat)"


@pytest.mark.parametrize(
    ("script", "model", "standing"),
    [
        (SCRIPT, "((define-fun x () Int 0))", BAD),
        (SCRIPT, "((define-fun x () Int 7))", GOOD),
        (SCRIPT, None, Standing.UNKNOWN),
        (SCRIPT, "((define-fun x () Int", Standing.UNKNOWN),
        # With old escapes it is bad only if it is so in both readings.
        (STRINGS, r'((define-fun s () String "\x41"))', Standing.UNKNOWN),
        (STRINGS, r'((define-fun s () String "\x41\x42"))', BAD),
        (STRINGS, '((define-fun s () String "a"))', GOOD),
        (STRINGS, '((define-fun s () String "ab"))', BAD),
    ],
)
def test_only_a_model_that_is_false_is_bad(script: str, model: str | None, standing: Standing) -> None:
    assert asked.standing(WRONG, verdicts(SAT, model=model), script) is standing


def test_models_are_asked_for() -> None:
    judgement = Judgement(Defect.INVALID_MODEL, ("a", "b"), None, ())
    target = MODEL.target(judgement, "model", Want.VERDICT, verdicts(SAT))
    assert target == Target(Defect.INVALID_MODEL, "model", want=Want.MODEL)


def test_a_replay_leaves_the_model_to_falsum() -> None:
    model = verdicts(SAT, model="((define-fun x () Int 0))")
    assert MODEL.recognition(WRONG, model) == Sign(SignKind.MODEL)
