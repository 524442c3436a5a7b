"""core: the unsat core that a solver names is satisfiable.

Possible false alarms: a core that is read wrongly. Assertions that cannot be in a core, because they have no
name, and assumptions are always taken to belong to it. A core without a single assertion is not judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from falsum.defects.case import Case
from falsum.defects.contradiction import contradiction, last_verdict
from falsum.defects.defect import Oracle
from falsum.defects.evidence import evidence_for_unsat
from falsum.defects.evidence.assessment import Assessment
from falsum.defects.evidence.evidence_session import EvidenceSession, closely
from falsum.defects.evidence.judgement import Defect, Judgement, clause
from falsum.defects.evidence.satisfiable_part import not_unsat
from falsum.defects.finding import Finding
from falsum.defects.identity import signature
from falsum.defects.kind import DefectKind
from falsum.defects.targets.recognition import Sign, of_text
from falsum.defects.targets.target import Target
from falsum.plural import counted
from falsum.smtlib import read_script
from falsum.smtlib.consequences import relay
from falsum.smtlib.text.command_text import until_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.inputs.safe_script import assertions_sent
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Claim


class WrongCore(DefectKind):
    words = (Defect.WRONG_CORE,)
    rank = 40
    asks = Want.CORE
    library_checks = ("core",)
    headline = "Unsat core that is satisfiable for"
    expectation = "A core that is unsatisfiable by itself."

    def judge(
        self, sessions: Sequence[EvidenceSession], suspects: tuple[str, ...], claim: Claim | None = None
    ) -> Judgement | None:
        del claim
        return next(filter(None, (judged_core(session, suspects) for session in closely(sessions))), None)

    def is_asked_for(self, session: EvidenceSession) -> bool:
        return "get-unsat-core" in session.text

    def recognition(self, target: Target | None, answer: Answer) -> Sign:
        return of_text(answer.core) if answer.core else super().recognition(target, answer)


def judged_core(session: EvidenceSession, suspects: tuple[str, ...]) -> Judgement | None:
    """The judgement if the core that a solver names at the check is satisfiable."""
    if session.flat is None:
        return None
    texts = dict.fromkeys((until_check(session.text, session.check), relay.plain(session.flat)))
    for solver in suspects:
        for text in texts:
            answer = session.lab.ask(Request(solver, text, Want.CORE, cold=True))
            core = answer.core if answer.verdict is Verdict.UNSAT else None
            script = relay.core_of(text, core, assertions_sent(text)) if core is not None else None
            evidence = not_unsat(session, script, solver) if script is not None else None
            if evidence is not None:
                return Judgement(Defect.WRONG_CORE, (solver,), None, (evidence,), session.check)
    return None


def assess_core(session: EvidenceSession, solver: str) -> Assessment | None:
    """Whether the assertions that a solver names as a core are unsat; None if it names none."""
    if session.flat is None:
        return Assessment(None, "falsum does not understand the whole script")
    wrong = judged_core(session, (solver,))
    if wrong is not None:
        return Assessment(False, wrong.evidence[0].text)
    text = relay.with_settings(session.flat)
    core = session.lab.ask(Request(solver, text, Want.CORE, cold=True)).core
    if core is None:
        return None
    script = relay.with_core(session.flat, core)
    if script is None:
        return Assessment(None, "the core has all assertions of the script, or none of them")
    evidence = evidence_for_unsat.by_evaluation(read_script(script))
    evidence = evidence or evidence_for_unsat.checked_proof(session, script)
    if evidence is not None:
        return Assessment(True, evidence.text)
    unsat = [each for each in session.solvers if session.verdict_on(each, script) is Verdict.UNSAT]
    if not unsat:
        return Assessment(
            None, "no solver decides these assertions alone, and the evaluator cannot refute them"
        )
    rest = "no evaluation or second product confirms it" if unsat == [solver] else "that is no proof"
    return Assessment(None, f"{clause(unsat, 'answer', 'unsat')} to these assertions alone; {rest}")


WRONG_CORE: Final = WrongCore()


class CoreOracle(Oracle):
    name = "core"
    defect = WRONG_CORE
    compares_solvers = True
    every = 64

    def find(self, case: Case, lab: Lab) -> Finding | None:
        if not case.is_understood:
            return None
        for solver in lab.solvers:
            if last_verdict(solver, case, lab) is not Verdict.UNSAT:
                continue
            request = Request(solver, case.text, Want.CORE)
            answer = lab.ask(request)
            if answer.core is None or not answer.finished or answer.verdict is not Verdict.UNSAT:
                continue
            script = relay.core_of(case.text, answer.core, assertions_sent(case.text))
            conflict = contradiction(script, solver, case, lab) if script is not None else None
            if script is not None and conflict is not None:
                core = read_script(script).assertions
                return Finding(
                    kind=self.name,
                    suspects=conflict.suspects,
                    signature=signature.of_wrong_answer(self.name, conflict.suspects, case, core),
                    evidence=f"{solver} answers unsat and names a core of "
                    f"{counted(len(core), 'assertion')}"
                    f"{' that is satisfiable:' if conflict.is_proved else ', but'} {conflict}",
                    case=case,
                    request=request,
                )
        return None
