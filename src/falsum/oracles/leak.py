"""leak: a solver that stays says another thing than the same solver in a fresh process.

A false alarm would take: a solver that is not deterministic; the cold answer is asked more than once before
anything is stored, and must not waver.
"""

from __future__ import annotations

from falsum.oracles.case import Case
from falsum.oracles.crash import Crash
from falsum.oracles.finding import Finding, Subject
from falsum.oracles.identity import signature
from falsum.oracles.oracle import Oracle
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab
from falsum.solvers.lab_views import ColdLab, SubsetLab
from falsum.solvers.request import Request


class Leak(Oracle):
    name = "leak"
    subject = Subject.STATE
    needs_history = True
    is_expensive = True

    def judge(self, case: Case, lab: Lab) -> Finding | None:
        for solver in lab.solvers:
            warm = lab.ask(Request(solver, case.text, case.want))
            cold = lab.ask(Request(solver, case.text, case.want, cold=True))
            if cold.crashed:
                # Not a leak but a crash that staying hides.
                if found := Crash().judge(case, SubsetLab(ColdLab(lab), (solver,))):
                    return found
            elif differ(warm, cold):
                return accusation(case, solver, warm, cold)
        return None


def differ(warm: Answer, cold: Answer) -> bool:
    """Whether the two cannot both be right: verdicts contradict, or only one of them ended in a crash."""
    if warm.crashed != cold.crashed:
        return warm.finished or cold.finished
    return any(one.contradicts(other) for one, other in zip(warm.verdicts, cold.verdicts, strict=False))


def accusation(case: Case, solver: str, warm: Answer, cold: Answer) -> Finding:
    said = f"{_said(warm)} when warm, {_said(cold)} when cold"
    return Finding(
        kind=Leak.name,
        suspects=(solver,),
        # What a crash owes to earlier scripts this one's operators cannot tell.
        signature=signature.of_wrong_answer(
            Leak.name, (solver,), case, () if warm.crashed else None, detail=_ending(warm) or said
        ),
        evidence=f"{solver}: {said}",
        case=case,
    )


def _ending(answer: Answer) -> str:
    return str(answer.ending) if answer.crashed else ""


def _said(answer: Answer) -> str:
    return _ending(answer) or " ".join(answer.verdicts) or str(answer.ending)
