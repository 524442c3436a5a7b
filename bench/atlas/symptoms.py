"""Symptoms: what a release seems to do wrong with a script, in comparison with the newest one; quickly told.

A symptom is no finding yet: the judge has the last word.
"""

from __future__ import annotations

from falsum.defects.case import Case
from falsum.defects.crash_answers import is_crash
from falsum.defects.kinds.invalid_model import ModelOracle
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import SubsetLab
from falsum.solvers.messages import without_run_noise
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Mutant

CRASH = "crash"
WRONG = "wrong"
MODEL = "model"
LATE = "late"


def symptom(text: str, release: str, newest: str, lab: LiveLab) -> str:
    """`crash: …`, `wrong sat`, `wrong unsat`, `model`, `late`, or nothing."""
    answer = lab.ask(Request(release, text, Want.MODEL))
    if is_crash(answer):
        return f"{CRASH}: {without_run_noise(answer.ending.message)}"
    if not any(verdict.decided for verdict in answer.verdicts):
        return LATE if answer.ending.kind is EndingKind.TIMED_OUT else ""
    if wrong := _contradicted(answer, lab.ask(Request(newest, text, Want.MODEL))):
        return f"{WRONG} {wrong}"
    if Verdict.SAT in answer.verdicts and len(answer.verdicts) == 1:
        case = Case(Mutant(text), want=Want.MODEL)
        return MODEL if ModelOracle().find(case, SubsetLab(lab, (release,))) is not None else ""
    return ""


def _contradicted(answer: Answer, newest: Answer) -> str:
    for mine, right in zip(answer.verdicts, newest.verdicts, strict=False):
        if mine.contradicts(right):
            return str(mine)
    return ""
