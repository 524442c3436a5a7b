"""Symptom: what is wrong with an answer, so that any release can be checked for the same."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec

from falsum.defects.evidence.judge import proves_sat
from falsum.defects.evidence.judgement import WRONG_VERDICTS, Defect, Judgement
from falsum.defects.model_check import falsified
from falsum.errors import FalsumError
from falsum.smtlib import read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Cause, EndingKind
from falsum.solvers.messages import alike, comparable, comparable_detail
from falsum.solvers.request import Want
from falsum.store import replay_script


class SymptomKind(StrEnum):
    WRONG_VERDICT = "wrong verdict"
    CRASH = "crash"
    INVALID_MODEL = "invalid model"
    SELF_CHECK = "self-check"  # the solver itself reports that its answer is wrong
    CALLS = "calls"  # of a library, which no script shows
    UNKNOWN = "unknown"  # a check that others decide is left open
    SLOW = "slow"
    ORACLE = "oracle"  # that only the oracle can tell, from several answers


class Standing(StrEnum):
    """Whether a release shows a symptom; all but the first two leave it open."""

    BAD = "bad"
    GOOD = "good"
    UNKNOWN = "unknown"
    TIMED_OUT = "timed out"
    REJECTS = "rejected"
    CRASHES = "other crash"
    MISREADS = "reads it differently"
    MISSING = "not available"

    @classmethod
    def _missing_(cls, value: object) -> Standing | None:
        return _FORMER_WORDS.get(str(value))

    @property
    def decided(self) -> bool:
        return self in {Standing.BAD, Standing.GOOD}


# What stood in bisection.json before.
_FORMER_WORDS: Final = {
    "rejects it": Standing.REJECTS,
    "crashes otherwise": Standing.CRASHES,
    "reads it otherwise": Standing.MISREADS,
    "cannot be had": Standing.MISSING,
}


class Symptom(msgspec.Struct, frozen=True):
    """`truth` is the verdict that is right at check number `check` (from 0), `message` how a crash ended.

    `seconds` is for what is slow: who takes so much CPU time, or is stopped after it, shows the symptom.
    """

    kind: SymptomKind
    want: str = Want.VERDICT
    check: int = 0
    truth: Verdict | None = None
    message: str = ""
    seconds: float = 0.0

    @property
    def observed(self) -> str:
        """The wrong answer, in a word or two."""
        if self.kind is SymptomKind.WRONG_VERDICT and self.truth is not None:
            return str(Verdict.UNSAT if self.truth is Verdict.SAT else Verdict.SAT)
        match self.kind:
            case SymptomKind.INVALID_MODEL:
                return "sat, with an invalid model"
            case SymptomKind.UNKNOWN:
                return str(Verdict.UNKNOWN)
            case SymptomKind.SLOW:
                return f"no answer within {self.seconds:g} s"
            case _:
                return self.message

    def seen(self, answer: Answer) -> tuple[str, str]:
        """How `replay.sh` recognises it, given an answer that shows it."""
        if self.kind in {SymptomKind.WRONG_VERDICT, SymptomKind.UNKNOWN}:
            before = sum(verdict is not Verdict.MISSING for verdict in answer.verdicts[: self.check])
            return replay_script.verdict_seen(before, self.observed)
        if self.kind is SymptomKind.INVALID_MODEL:
            return replay_script.model_seen()
        return replay_script.crash_seen(str(answer.ending.cause), answer.ending.detail)

    def standing(self, answer: Answer, script: str, *, strictly: bool = False) -> Standing:
        """Whether an answer to the script shows the symptom; `strictly`: a crash with the same message."""
        if answer.crashed and answer.ending.cause is not Cause.SELF_CHECK:
            same = self.kind is SymptomKind.CRASH and self._is_same_crash(answer, strictly=strictly)
            return Standing.BAD if same else Standing.CRASHES
        match self.kind:
            case SymptomKind.CRASH:
                return _after_no_crash(answer)
            case SymptomKind.WRONG_VERDICT:
                return self._by_verdict(answer)
            case SymptomKind.INVALID_MODEL:
                return _by_model(answer, script)
            case SymptomKind.SELF_CHECK:
                return self._by_self_check(answer)
            case SymptomKind.CALLS | SymptomKind.ORACLE:
                return Standing.UNKNOWN
            case SymptomKind.UNKNOWN:
                return self._by_completeness(answer)
            case SymptomKind.SLOW:
                return self._by_time(answer)

    def _is_same_crash(self, answer: Answer, *, strictly: bool) -> bool:
        if strictly:
            return comparable(answer.ending.message) == comparable(self.message)
        return alike(answer.ending.message, self.message)

    def _by_self_check(self, answer: Answer) -> Standing:
        if answer.ending.cause is Cause.SELF_CHECK:
            return Standing.BAD if comparable_detail(answer.ending) == self.message else Standing.CRASHES
        return _after_no_crash(answer)

    def _by_completeness(self, answer: Answer) -> Standing:
        verdict = answer.verdict_at(self.check)
        if verdict is Verdict.MISSING:
            return _undecided(answer)
        return Standing.GOOD if verdict.decided else Standing.BAD

    def _by_time(self, answer: Answer) -> Standing:
        # CPU time where it is known: on a busy machine everything takes long.
        if (answer.cpu or answer.seconds) >= self.seconds:
            return Standing.BAD
        return _after_no_crash(answer)

    def _by_verdict(self, answer: Answer) -> Standing:
        verdict = answer.verdict_at(self.check)
        if verdict.decided:
            return Standing.GOOD if verdict is self.truth else Standing.BAD
        return _undecided(answer)


def _after_no_crash(answer: Answer) -> Standing:
    if not answer.is_silent and answer.ending.kind in {EndingKind.FINISHED, EndingKind.CRASHED}:
        return Standing.GOOD
    return _undecided(answer)


def _undecided(answer: Answer) -> Standing:
    if answer.ending.kind is EndingKind.REJECTED:
        return Standing.REJECTS
    is_open = answer.finished or answer.ending.kind is EndingKind.ODD
    return Standing.UNKNOWN if is_open else Standing.TIMED_OUT


def _by_model(answer: Answer, script: str) -> Standing:
    """A model that we cannot judge leaves it open."""
    if answer.verdict is Verdict.UNSAT:
        return Standing.GOOD
    if answer.verdict is not Verdict.SAT:
        return _undecided(answer)
    held = _model_holds(answer, script)
    if held is None:
        return Standing.UNKNOWN
    return Standing.GOOD if held else Standing.BAD


def _model_holds(answer: Answer, script: str) -> bool | None:
    """Whether the model satisfies what is asserted at the last check; None if we cannot say."""
    if answer.model is None:
        return None
    try:
        checks = list(at_each_check(read_script(script)))
    except FalsumError:
        return None
    if not checks:
        return None
    if falsified(checks[-1], answer.model) is not None:
        return False
    return True if proves_sat(script, len(checks) - 1, answer.model) else None


def symptom_of(judgement: Judgement, want: Want, answers: Mapping[str, Answer]) -> Symptom | None:
    """What to look for in other releases; None if a judgement is not about one answer to one script."""
    defect = judgement.defect
    if defect in WRONG_VERDICTS.values() and judgement.truth is not None:
        return Symptom(SymptomKind.WRONG_VERDICT, want, judgement.check, judgement.truth)
    if defect is Defect.INVALID_MODEL:
        return Symptom(SymptomKind.INVALID_MODEL, Want.MODEL)
    if defect is Defect.INCOMPLETENESS:
        return Symptom(SymptomKind.UNKNOWN, want, judgement.check)
    if defect is Defect.SLOW:
        times = [answers[name].cpu or answers[name].seconds for name in judgement.suspects if name in answers]
        return Symptom(SymptomKind.SLOW, want, seconds=round(times[0] / 2, 3)) if times else None
    if defect is Defect.CRASH:
        crashed = (answers[name] for name in judgement.suspects if name in answers and answers[name].crashed)
        answer = next(crashed, None)
        return None if answer is None else Symptom(SymptomKind.CRASH, want, message=answer.ending.message)
    return None
