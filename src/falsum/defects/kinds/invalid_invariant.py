"""invariant: a solver answers sat to Horn clauses, but its model makes a clause false, or false follows.

The model's predicates are put into each clause, whose negation must be unsat; and the clauses are unrolled to
a depth, where nothing may lead to *false*. Either is shown by a model that our evaluator verifies, or, of the
first, by two products that agree, the suspect one of them. Possible false alarms: a wrong evaluator.
"""

from __future__ import annotations

from collections.abc import Sequence

from falsum.defects.case import Case
from falsum.defects.defect import Oracle
from falsum.defects.evidence.evidence_session import EvidenceSession, closely
from falsum.defects.evidence.horn_evidence import derivation, false_clause, is_horn_script
from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.finding import Finding
from falsum.defects.identity import signature
from falsum.defects.kind import DefectKind
from falsum.defects.targets.recognition import Sign, of_text
from falsum.defects.targets.target import Target
from falsum.smtlib.fragments.horn import HORN
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab
from falsum.solvers.lab_views import ColdLab
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Claim


class InvalidInvariant(DefectKind):
    words = (Defect.INVALID_INVARIANT,)
    rank = 25
    asks = Want.MODEL
    headline = "Invalid invariant for"
    expectation = "A model that makes every clause true."
    is_serious = True

    def is_asked_for(self, session: EvidenceSession) -> bool:
        return session.flat is not None and is_horn_script(session.flat)

    def judge(
        self, sessions: Sequence[EvidenceSession], suspects: tuple[str, ...], claim: Claim | None = None
    ) -> Judgement | None:
        """A derivation of *false* makes the verdict wrong; otherwise the model alone may be."""
        del claim
        for session in closely(sessions):
            wrong = [solver for solver in session.answering_as_is(Verdict.SAT) if solver in suspects]
            if session.flat is None or not wrong or not self.is_asked_for(session):
                continue
            lab = ColdLab(session.lab, again=False)
            derived = derivation(session.flat, session.solvers, lab)
            if derived is not None:
                return Judgement(
                    Defect.SOLUTION_UNSOUNDNESS, tuple(wrong), Verdict.UNSAT, (derived,), session.check
                )
            for solver in wrong:
                for model in session.own_models(solver, as_is=True):
                    false = false_clause(session.case, session.flat, model.text, solver, lab)
                    if false is not None:
                        return Judgement(self.name, (solver,), None, (false,), session.check)
        return None

    def target(self, judgement: Judgement, oracle: str, want: Want, answer: Answer) -> Target | None:
        del answer, want
        return Target(self.name, oracle, "", Want.MODEL, judgement.check)

    def observed(self, target: Target) -> str:
        del target
        return "sat, with an invalid invariant"

    def recognition(self, target: Target | None, answer: Answer) -> Sign:
        return of_text(answer.model) if answer.model else super().recognition(target, answer)


class InvariantOracle(Oracle):
    """Looks at the last check, whose model solvers print."""

    name = "invariant"
    defect = InvalidInvariant()
    want = Want.MODEL
    compares_solvers = True

    def find(self, case: Case, lab: Lab) -> Finding | None:
        if HORN not in case.text or not case.is_understood or not case.checks:
            return None
        flat = case.checks[-1]
        for solver in lab.solvers if is_horn_script(flat) else ():
            request = Request(solver, case.text, Want.MODEL)
            answer = lab.ask(request)
            if answer.verdict is not Verdict.SAT or len(answer.verdicts) != len(case.checks):
                continue
            evidence = false_clause(case, flat, answer.model, solver, lab) if answer.model else None
            evidence = evidence or derivation(flat, lab.solvers, lab)
            if evidence is not None:
                return Finding(
                    kind=self.name,
                    suspects=(solver,),
                    signature=signature.of_wrong_answer(self.name, (solver,), case),
                    evidence=evidence.text,
                    case=case,
                    request=request,
                    details=evidence.details,
                )
        return None
