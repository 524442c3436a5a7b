"""crash: a solver ends with a signal, an assertion failure, a sanitizer report or an internal error.

Possible false alarms: a program killed from outside (the runner tells its own limits and the kernel's
out-of-memory killer apart), or a rejection worded like an internal error (the profile's patterns decide). A
solver that reports its own model as wrong has not crashed: the model oracle looks at the model itself.
"""

from __future__ import annotations

from falsum.defects.case import Case
from falsum.defects.defect import Oracle
from falsum.defects.finding import Finding, Subject
from falsum.defects.identity import signature
from falsum.solvers.answer import Cause
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request


class CrashOracle(Oracle):
    name = "crash"
    subject = Subject.CRASH

    def judge(self, case: Case, lab: Lab) -> Finding | None:
        for solver in lab.solvers:
            answer = lab.ask(Request(solver, case.text, case.want))
            ending = answer.ending
            if answer.crashed and ending.cause is not Cause.SELF_CHECK:
                return Finding(
                    kind=self.name,
                    suspects=(solver,),
                    signature=signature.of_crash(case, solver, ending),
                    evidence=f"{solver} {ending}",
                    case=case,
                )
        return None
