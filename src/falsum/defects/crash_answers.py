"""Crashes among answers: what counts as a crash, and the finding for it."""

from __future__ import annotations

from typing import Final

from falsum.defects.case import Case
from falsum.defects.finding import Finding
from falsum.defects.identity import signature
from falsum.solvers.answer import Answer, Cause
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request

# The name of the oracle of crashes; findings are stored with it.
CRASH: Final = "crash"


def is_crash(answer: Answer) -> bool:
    """Whether a solver crashed; a solver that reports its own answer as wrong has not."""
    return answer.crashed and answer.ending.cause is not Cause.SELF_CHECK


def first_crash(case: Case, lab: Lab) -> Finding | None:
    """The first crash of the lab's solvers on a case."""
    for solver in lab.solvers:
        answer = lab.ask(Request(solver, case.text, case.want))
        if is_crash(answer):
            return Finding(
                kind=CRASH,
                suspects=(solver,),
                signature=signature.of_crash(case, solver, answer.ending),
                evidence=f"{solver} {answer.ending}",
                case=case,
            )
    return None
