"""leak: a process that has run other scripts gives another answer than a fresh process.

A crash of such a process is a crash, with a history.

Possible false alarms: a solver that is not deterministic. Before a finding is stored, several fresh processes
must agree.
"""

from __future__ import annotations

from collections.abc import Sequence

from falsum.defects.case import Case
from falsum.defects.crash_answers import CRASH, first_crash
from falsum.defects.defect import Oracle
from falsum.defects.evidence.evidence_session import EvidenceSession, answer_summary
from falsum.defects.evidence.judgement import Defect, Evidence, Judgement
from falsum.defects.finding import Finding
from falsum.defects.identity import signature
from falsum.defects.kind import DefectKind
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.lab_views import ColdLab, SubsetLab
from falsum.solvers.request import Request
from falsum.strategies.mutant import Claim


class StateLeak(DefectKind):
    words = (Defect.STATE_LEAK,)
    rank = 90
    needs_oracle = False
    library_checks = ("leak",)
    headline = "State leak:"
    expectation = "The answer of a fresh process: earlier scripts should make no difference after `(reset)`."

    def judge(
        self, sessions: Sequence[EvidenceSession], suspects: tuple[str, ...], claim: Claim | None = None
    ) -> Judgement | None:
        """The judgement: a fresh process does not show what a process with a history showed."""
        del claim
        session = sessions[-1]
        evidence = tuple(
            Evidence(
                "fresh process",
                f"In a fresh process {solver} {answer_summary(session.answer(solver))}. The process that "
                "showed the finding had answered other scripts before, so it depends on state that those "
                "left behind.",
            )
            for solver in suspects
        )
        return Judgement(Defect.STATE_LEAK, suspects, None, evidence, session.check)


class LeakOracle(Oracle):
    name = "leak"
    defect = StateLeak()
    needs_history = True
    every = 256

    def find(self, case: Case, lab: Lab) -> Finding | None:
        for solver in lab.solvers:
            warm = lab.ask(Request(solver, case.text, case.want))
            if warm.ending.kind is EndingKind.TIMED_OUT and warm.is_silent:
                continue  # no answer differs from it, and a fresh process would have all the time there is
            cold = lab.ask(Request(solver, case.text, case.want, cold=True))
            if cold.crashed:
                # Not a leak but a crash that the running process hides.
                if crash := first_crash(case, SubsetLab(ColdLab(lab), (solver,))):
                    return crash
            elif differ(warm, cold):
                return leak_finding(case, solver, warm, cold)
        return None


def differ(warm: Answer, cold: Answer) -> bool:
    """Whether two answers cannot both be right: verdicts contradict, or only one of them is a crash."""
    if warm.crashed != cold.crashed:
        return warm.is_complete or cold.is_complete
    return any(one.contradicts(other) for one, other in zip(warm.verdicts, cold.verdicts, strict=False))


def leak_finding(case: Case, solver: str, warm: Answer, cold: Answer) -> Finding:
    """The finding for a running process (warm) that answers differently from a fresh one (cold)."""
    if warm.crashed and not cold.crashed:
        return Finding(
            kind=CRASH,
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
