"""crash: a solver ends with a signal, an assertion failure, a sanitizer report or an internal error.

Possible false alarms: a program killed from outside (the runner tells its own limits and the kernel's
out-of-memory killer apart), or a rejection worded like an internal error (the profile's patterns decide). A
solver that reports its own model as wrong has not crashed: the model finder looks at the model itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from falsum.defects.case import Case
from falsum.defects.crash_answers import CRASH, first_crash, is_crash
from falsum.defects.defect import Oracle
from falsum.defects.evidence.evidence_session import EvidenceSession
from falsum.defects.evidence.judgement import Defect, Evidence, Judgement
from falsum.defects.finding import Finding
from falsum.defects.kind import AnswerKind
from falsum.defects.targets.standing import Standing, without_crash
from falsum.defects.targets.target import Target
from falsum.solvers.answer import Answer, Cause, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.messages import alike, comparable, comparable_detail
from falsum.solvers.request import Want
from falsum.strategies.mutant import Claim


class Crash(AnswerKind):
    words = (Defect.CRASH,)
    rank = 30
    is_serious = True
    is_always_judged = True
    categories = ("crash",)
    library_checks = ("crash", "exception", "memory")
    headline = "Crash on"
    expectation = "The solver should not crash."

    def judge(
        self, sessions: Sequence[EvidenceSession], suspects: tuple[str, ...], claim: Claim | None = None
    ) -> Judgement | None:
        del claim
        session = sessions[-1]
        crashes: dict[str, Evidence] = {}
        for solver in suspects:
            for want in (Want.VERDICT, Want.MODEL):
                ending = session.answer(solver, want).ending
                if ending.kind is EndingKind.CRASHED and ending.cause is not Cause.SELF_CHECK:
                    text = f"{solver} {ending}."
                    crashes.setdefault(solver, Evidence(str(ending.cause), text, ending.detail))
        if not crashes:
            return None
        return Judgement(Defect.CRASH, tuple(crashes), None, tuple(crashes.values()), session.check)

    def target(self, judgement: Judgement, oracle: str, want: Want, answer: Answer) -> Target | None:
        del judgement
        return (
            Target(self.name, oracle, "", want, message=answer.ending.message) if is_crash(answer) else None
        )

    def standing(self, target: Target, answer: Answer, case: Case, *, strictly: bool = False) -> Standing:
        if target.message.startswith(Cause.SELF_CHECK):
            return _standing_of_alarm(target, answer)
        if not is_crash(answer):
            asks_nothing = case.script is not None and not case.checks
            return Standing.GOOD if asks_nothing and answer.finished else without_crash(answer)
        message = answer.ending.message
        same = (
            comparable(message) == comparable(target.message) if strictly else alike(message, target.message)
        )
        return Standing.BAD if same else Standing.CRASHES


CRASH_KIND: Final = Crash()


def alarm_target(answer: Answer, want: Want) -> Target | None:
    """The target if a solver itself reports that its answer is wrong; None if it does not."""
    if answer.ending.cause is not Cause.SELF_CHECK:
        return None
    return Target(CRASH_KIND.name, want=want, message=_alarm(answer))


def _alarm(answer: Answer) -> str:
    return f"{Cause.SELF_CHECK}: {comparable_detail(answer.ending)}"


def _standing_of_alarm(target: Target, answer: Answer) -> Standing:
    if answer.ending.cause is Cause.SELF_CHECK:
        return Standing.BAD if _alarm(answer) == target.message else Standing.CRASHES
    return Standing.CRASHES if is_crash(answer) else without_crash(answer)


class CrashOracle(Oracle):
    name = CRASH
    defect = CRASH_KIND

    def find(self, case: Case, lab: Lab) -> Finding | None:
        return first_crash(case, lab)
