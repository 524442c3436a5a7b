"""Assessment: whether one solver's model, core or verdict is right: true, false, or cannot say and why.

The judge looks for a wrong solver. An assessment asks how much of an answer is known to be right, with one
solver or with several that agree.
"""

from __future__ import annotations

from dataclasses import dataclass

from falsum.defects.evidence import evidence_for_sat, evidence_for_unsat
from falsum.defects.evidence.evidence_session import EvidenceSession
from falsum.defects.evidence.horn_evidence import derivation
from falsum.defects.evidence.judgement import Evidence
from falsum.defects.finding import shortened
from falsum.defects.model_check import falsified, satisfies, why_undecided
from falsum.smtlib import Script, print_term
from falsum.smtlib.evaluation.evaluator import STEPS
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab_views import ColdLab


@dataclass(frozen=True, slots=True)
class Assessment:
    """`holds` is None if falsum cannot say; `reason` is the rest of a sentence."""

    holds: bool | None
    reason: str

    @property
    def word(self) -> str:
        return "cannot say" if self.holds is None else str(self.holds).lower()

    def __str__(self) -> str:
        return f"{self.word}: {self.reason}"


def assess_model(flat: Script | None, model: str) -> Assessment:
    """Whether a model satisfies the assertions, by falsum's evaluator alone."""
    if flat is None:
        return Assessment(None, "falsum does not understand the whole script")
    false = falsified(flat, model, STEPS)
    if false is not None:
        return Assessment(False, f"the assertion {shortened(print_term(false))} evaluates to false")
    holds, always = satisfies(flat, model)
    if not holds:
        return Assessment(None, why_undecided(flat, model))
    if always:
        return Assessment(True, "every assertion evaluates to true")
    return Assessment(
        True,
        "every assertion evaluates to true, with the choices the model makes where the standard has none",
    )


def evidence_for_verdict(session: EvidenceSession, verdict: Verdict) -> tuple[Evidence, ...]:
    """Evidence that an uncontradicted verdict is right; none if only solvers say so."""
    if session.flat is None:
        return ()
    if verdict is Verdict.SAT:
        support = evidence_for_sat.support_for_sat(session, None)
        return (support.evidence,) if support is not None else ()
    evaluated = evidence_for_unsat.by_evaluation(session.flat)
    if evaluated is not None:
        return (evaluated,)
    derived = derivation(session.flat, session.solvers, ColdLab(session.lab, again=False))
    if derived is not None:
        return (derived,)
    core = evidence_for_unsat.smallest_core(session)
    if core is None:
        return ()
    evidence = (
        evidence_for_unsat.confirmed_core(session, core, ()),
        evidence_for_unsat.checked_proof(session, core),
    )
    return tuple(each for each in evidence if each is not None)
