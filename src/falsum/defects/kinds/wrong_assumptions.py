"""assumptions: the unsat assumptions that a solver names are satisfiable.

A script without assumptions gets one for each assertion: a Boolean constant that implies it. Possible false
alarms: a list of assumptions that is read wrongly; a list with anything but assumptions of the script, as
falsum prints them, is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from falsum.defects.case import Case
from falsum.defects.contradiction import contradiction, last_verdict
from falsum.defects.defect import Oracle
from falsum.defects.evidence.evidence_session import EvidenceSession, closely
from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.evidence.satisfiable_part import not_unsat
from falsum.defects.finding import Finding
from falsum.defects.identity import signature
from falsum.defects.kind import DefectKind
from falsum.defects.targets.recognition import Sign, of_text
from falsum.defects.targets.target import Target
from falsum.smtlib import read_script
from falsum.smtlib.consequences import relay
from falsum.smtlib.text.command_text import until_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab
from falsum.solvers.output import unsat_assumptions
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Claim


class WrongAssumptions(DefectKind):
    words = (Defect.WRONG_ASSUMPTIONS,)
    rank = 50
    asks = Want.ASSUMPTIONS
    library_checks = ("assumptions",)
    headline = "Unsat assumptions that are satisfiable for"
    expectation = "Assumptions with which the script is unsatisfiable."

    def judge(
        self, sessions: Sequence[EvidenceSession], suspects: tuple[str, ...], claim: Claim | None = None
    ) -> Judgement | None:
        del claim
        return next(filter(None, (_judged(session, suspects) for session in closely(sessions))), None)

    def is_asked_for(self, session: EvidenceSession) -> bool:
        return "get-unsat-assumptions" in session.text

    def recognition(self, target: Target | None, answer: Answer) -> Sign:
        assumptions = unsat_assumptions(answer, len(answer.verdicts) - 1)
        return of_text(assumptions) if assumptions else super().recognition(target, answer)


def _judged(session: EvidenceSession, suspects: tuple[str, ...]) -> Judgement | None:
    if session.flat is None:
        return None
    for solver in suspects:
        for text, check, want in _with_assumptions(session):
            answer = session.lab.ask(Request(solver, text, want, cold=True))
            assumptions = unsat_assumptions(answer, check)
            script = relay.with_assumptions(text, check, assumptions) if assumptions else None
            evidence = not_unsat(session, script, solver) if script is not None else None
            if evidence is not None:
                return Judgement(Defect.WRONG_ASSUMPTIONS, (solver,), None, (evidence,), session.check)
    return None


def _with_assumptions(session: EvidenceSession) -> Iterator[tuple[str, int, Want]]:
    """The script, if it asks for assumptions itself, and one that assumes its assertions; each with the
    check in question.
    """
    yield session.text, session.check, Want.VERDICT
    text = relay.with_indicators(read_script(until_check(session.text, session.check)))
    if text is not None:
        yield text, relay.last_check(text), Want.ASSUMPTIONS


class AssumptionsOracle(Oracle):
    name = "assumptions"
    defect = WrongAssumptions()
    compares_solvers = True
    every = 64

    def find(self, case: Case, lab: Lab) -> Finding | None:
        if case.script is None or not case.is_understood:
            return None
        unsat = [s for s in lab.solvers if last_verdict(s, case, lab) is Verdict.UNSAT]
        text = relay.with_indicators(case.script) if unsat else None
        if text is None:
            return None
        last = relay.last_check(text)
        for solver in unsat:
            request = Request(solver, text, Want.ASSUMPTIONS)
            assumptions = unsat_assumptions(lab.ask(request), last)
            script = relay.with_assumptions(text, last, assumptions) if assumptions else None
            conflict = contradiction(script, solver, case, lab) if script is not None else None
            if conflict is not None:
                so = "with which the script is satisfiable:" if conflict.is_proved else "but with these"
                return Finding(
                    kind=self.name,
                    suspects=conflict.suspects,
                    signature=signature.of_wrong_answer(self.name, conflict.suspects, case),
                    evidence=f"{solver} answers unsat and names the assumptions {assumptions}, "
                    f"{so} {conflict}",
                    case=case,
                    request=request,
                )
        return None
