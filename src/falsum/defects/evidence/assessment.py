"""Assessment: what falsum can say of one solver's model, core or verdict: true, false, or cannot say and why.

The judge looks for somebody who is wrong. Here nobody needs to be: the question is how much of an answer is
known to be right, with one solver or with several that agree.
"""

from __future__ import annotations

from dataclasses import dataclass

from falsum.defects.evidence import evidence_for_sat, evidence_for_unsat, other_defects
from falsum.defects.evidence.evidence_session import EvidenceSession
from falsum.defects.evidence.judgement import Evidence, clause
from falsum.defects.finding import shortened
from falsum.defects.model_check import falsified, satisfies, why_undecided
from falsum.smtlib import Script, print_term, read_script
from falsum.smtlib.consequences import relay
from falsum.smtlib.evaluation.evaluator import STEPS
from falsum.smtlib.verdict import Verdict
from falsum.solvers.request import Request, Want


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
    """Whether a model satisfies what is asserted, by our evaluator alone."""
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


def assess_core(session: EvidenceSession, solver: str) -> Assessment | None:
    """Whether the assertions that a solver names as a core are unsat; None if it names none."""
    if session.flat is None:
        return Assessment(None, "falsum does not understand the whole script")
    wrong = other_defects.wrong_core(session, (solver,))
    if wrong is not None:
        return Assessment(False, wrong.evidence[0].text)
    text = relay.plain(session.flat)
    core = session.lab.ask(Request(solver, text, Want.CORE, cold=True)).core
    if core is None:
        return None
    script = relay.with_core(session.flat, core)
    if script is None:
        return Assessment(None, "the core has all assertions of the script, or none of them")
    shown = evidence_for_unsat.by_evaluation(read_script(script))
    shown = shown or evidence_for_unsat.checked_proof(session, script)
    if shown is not None:
        return Assessment(True, shown.text)
    unsat = [each for each in session.solvers if session.verdict_on(each, script) is Verdict.UNSAT]
    if not unsat:
        return Assessment(
            None, "no solver decides these assertions alone, and the evaluator cannot refute them"
        )
    rest = "no evaluation or second product confirms it" if unsat == [solver] else "that is no proof"
    return Assessment(None, f"{clause(unsat, 'answer', 'unsat')} to these assertions alone; {rest}")


def evidence_for_verdict(session: EvidenceSession, verdict: Verdict) -> tuple[Evidence, ...]:
    """Evidence that a verdict which no solver contradicts is right; none if only solvers say so."""
    if session.flat is None:
        return ()
    if verdict is Verdict.SAT:
        support = evidence_for_sat.support_for_sat(session, None)
        return (support.evidence,) if support is not None else ()
    evaluated = evidence_for_unsat.by_evaluation(session.flat)
    if evaluated is not None:
        return (evaluated,)
    core = evidence_for_unsat.smallest_core(session)
    if core is None:
        return ()
    found = (
        evidence_for_unsat.confirmed_core(session, core, ()),
        evidence_for_unsat.checked_proof(session, core),
    )
    return tuple(each for each in found if each is not None)
