"""Predicates: what a command or solvers did on the first script they must go on doing."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from falsum.campaign.triage.answer_predicate import AnswerPredicate, Kind, model_holds
from falsum.campaign.triage.command_predicate import CommandPredicate
from falsum.errors import UsageError
from falsum.reducer import reduce
from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.fake_lab import FakeLab, Reply
from falsum.solvers.limits import Limits

LIMITS = Limits(seconds=20.0)
SCRIPT = """
    (declare-fun x () Int) (declare-fun y () Int)
    (assert (> x 0)) (assert (= (* y 2) 6)) (assert (< (div x 3) 5)) (check-sat)
"""


class OpenLab(FakeLab):
    def close(self) -> None:
        pass


def predicate(**solvers: object) -> AnswerPredicate:
    lab = OpenLab(solvers)  # type: ignore[arg-type]
    return AnswerPredicate(lambda _: lab, SCRIPT, LIMITS)


def liar(text: str) -> Reply:
    return "unsat" if "div" in text else "sat"


def crash(text: str) -> Reply:
    detail = "Failure at 0x7fff12: unreachable" if "div" in text else "another one"
    ending = Ending(EndingKind.CRASHED, Cause.ASSERTION, detail)
    return Answer((), ending if "(* " in text or "div" in text else FINISHED)


def test_a_disagreement_stays_the_same() -> None:
    kept = predicate(honest=lambda _: "sat", liar=liar)
    assert kept.wanted.kind is Kind.DISAGREEMENT
    assert kept.wanted.verdicts == {"honest": Verdict.SAT, "liar": Verdict.UNSAT}
    result = reduce(read_script(SCRIPT), kept, confirm=kept.cold)
    assert "div" in result.text
    assert len(result.text) < 40
    assert "honest says sat" in str(kept.wanted)


def test_the_truth_is_shown_again_at_every_step() -> None:
    """A model that our evaluator found right must be right for the smaller script too."""

    def honest(text: str) -> Reply:
        model = "((define-fun x () Int 1) (define-fun y () Int 3))"
        return Answer((Verdict.SAT,), FINISHED, model=model if "> x" in text else None)

    kept = predicate(honest=honest, liar=liar)
    assert kept.wanted.witness == "honest"
    assert not kept("(assert (= (div 1 2) 0))(check-sat)")
    assert not kept("(declare-fun x () Int)(assert (> x (div 9 3)))(check-sat)")
    assert kept("(declare-fun x () Int)(assert (> x (div 1 3)))(check-sat)")


def test_a_crash_stays_the_same_crash() -> None:
    kept = predicate(crashing=crash, other=lambda _: "sat")
    assert kept.wanted.kind is Kind.CRASH
    assert kept("(assert (= 0 (div 1 0)))")
    assert not kept("(assert (= 0 (* 1 0)))")
    assert not kept("(check-sat)")
    assert "crash" in str(kept.wanted)


def test_an_alarm_is_no_crash() -> None:
    """What a solver says of its own model; where in the script it says so does not matter."""

    def checking(text: str) -> Reply:
        what = "model" if "div" in text else "proof"
        detail = f"line {text.count('(')} column 9: an invalid {what} was generated"
        return Answer((Verdict.SAT,), Ending(EndingKind.CRASHED, Cause.SELF_CHECK, detail))

    kept = predicate(checking=checking, other=lambda text: "sat" if "div" in text else "unknown")
    assert kept.wanted.kind is Kind.SELF_CHECK
    assert "self-check" in str(kept.wanted)
    assert kept("(assert (= 0 (div 1 0)))")
    assert not kept("(assert (= 0 1))")
    assert kept.wanted.endings.keys() == {"checking"}
    both = predicate(checking=checking, crashing=crash)
    assert both.wanted.kind is Kind.CRASH


def test_an_invalid_model_stays_invalid() -> None:
    def sloppy(text: str) -> Reply:
        del text
        return Answer((Verdict.SAT,), FINISHED, model="((define-fun x () Int 0) (define-fun y () Int 3))")

    kept = predicate(sloppy=sloppy)
    assert kept.wanted.kind is Kind.INVALID_MODEL
    result = reduce(read_script(SCRIPT), kept)
    assert model_holds(sloppy(result.text), read_script(result.text)) is False  # type: ignore[arg-type]


def test_otherwise_verdicts_stay() -> None:
    kept = predicate(one=liar)
    assert kept.wanted.kind is Kind.VERDICTS
    assert kept("(assert (= 0 (div 1 0)))")
    assert not kept("(check-sat)")


def test_a_script_nobody_takes_is_refused() -> None:
    rejected = Answer((), Ending(EndingKind.REJECTED, Cause.SYNTAX))
    with pytest.raises(UsageError, match="no solver takes"):
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
    assert model_holds(answer, read_script(text)) is True
    assert AnswerPredicate(lambda _: OpenLab({"right": lambda _: answer}), text, LIMITS).wanted.kind is (
        Kind.VERDICTS
    )


def command_predicate(code: str, tmp_path: Path, **more: str) -> CommandPredicate:
    line = shlex.join([sys.executable, "-c", code])
    return CommandPredicate(
        line + more.pop("after", ""),
        SCRIPT,
        directory=str(tmp_path),
        env={"HELLO": "1"},
        limits=LIMITS,
        **more,
    )


READ = "import sys; text = open(sys.argv[1]).read(); "


def test_the_exit_status_stays(tmp_path: Path) -> None:
    with command_predicate(READ + "sys.exit(3 if 'div' in text else 0)", tmp_path) as kept:
        assert kept.wanted.status == 3
        assert kept("(div)")
        assert not kept("(mod)")
        assert kept.cpu > 0


def test_output_must_match(tmp_path: Path) -> None:
    code = READ + "print('div' in text); print('* y' in text, file=sys.stderr)"
    with command_predicate(code, tmp_path, match_out="True", match_err="^T") as kept:
        assert kept("(div (* y))")
        assert not kept("(div)")
        assert not kept("(* y)")


def test_the_file_may_stand_anywhere_and_the_directory_is_the_caller_s(tmp_path: Path) -> None:
    (tmp_path / "here").touch()
    found = "os.path.exists('here') and sys.argv[2] == 'x' and 'HELLO' in os.environ"
    code = f"import os, sys; sys.exit(4 * ({found}))"
    with command_predicate(code, tmp_path, after=" {} x") as kept:
        assert kept.wanted.status == 4


@pytest.mark.parametrize("pattern", ["nothing like this", "("])
def test_a_pattern_that_does_not_match_is_refused(tmp_path: Path, pattern: str) -> None:
    with pytest.raises(UsageError):
        command_predicate("pass", tmp_path, match_out=pattern)
