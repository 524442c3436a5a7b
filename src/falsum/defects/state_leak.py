"""leak: a process that has answered other scripts gives another answer than a fresh process.

A crash of such a process is a crash, with a history.

Possible false alarms: a solver that is not deterministic. Before a finding is stored, several fresh processes
are asked, and they must agree.
"""

from __future__ import annotations

from falsum.defects.case import Case
from falsum.defects.crash import CrashOracle
from falsum.defects.defect import Oracle
from falsum.defects.finding import Finding, Subject
from falsum.defects.identity import signature
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.lab_views import ColdLab, SubsetLab
from falsum.solvers.request import Request


class LeakOracle(Oracle):
    name = "leak"
    subject = Subject.STATE
    needs_history = True
    every = 256

    def judge(self, case: Case, lab: Lab) -> Finding | None:
        for solver in lab.solvers:
            warm = lab.ask(Request(solver, case.text, case.want))
            if warm.ending.kind is EndingKind.TIMED_OUT and warm.is_silent:
                continue  # no answer differs from it, and a fresh process would have all the time there is
            cold = lab.ask(Request(solver, case.text, case.want, cold=True))
            if cold.crashed:
                # Not a leak but a crash that the running process hides.
                if found := CrashOracle().judge(case, SubsetLab(ColdLab(lab), (solver,))):
                    return found
            elif differ(warm, cold):
                return leak_finding(case, solver, warm, cold)
        return None


def differ(warm: Answer, cold: Answer) -> bool:
    """Whether the two cannot both be right: verdicts contradict, or only one of them is a crash."""
    if warm.crashed != cold.crashed:
        return warm.is_complete or cold.is_complete
    return any(one.contradicts(other) for one, other in zip(warm.verdicts, cold.verdicts, strict=False))


def leak_finding(case: Case, solver: str, warm: Answer, cold: Answer) -> Finding:
    """A finding of a process (warm) that answers otherwise than a fresh one (cold)."""
    if warm.crashed and not cold.crashed:
        return Finding(
            kind=CrashOracle.name,
            suspects=(solver,),
            # The operators of this script say nothing about a crash that earlier scripts caused.
            signature=signature.of_history_crash(solver, warm.ending),
            evidence=f"{solver} {warm.ending} in a process that had answered other scripts before; a fresh "
            f"process does not crash ({_summary(cold)})",
            case=case,
            needs_history=True,
        )
    answers = f"{_summary(warm)} when warm, {_summary(cold)} when cold"
    return Finding(
        kind=LeakOracle.name,
        suspects=(solver,),
        signature=signature.of_wrong_answer(LeakOracle.name, (solver,), case, detail=answers),
        evidence=f"{solver}: {answers}",
        case=case,
        needs_history=True,
    )


def _summary(answer: Answer) -> str:
    return str(answer.ending) if answer.crashed else " ".join(answer.words) or str(answer.ending)
