"""Evidence that the reason a solver gives for unsat, a core or assumptions, is satisfiable."""

from __future__ import annotations

from falsum.defects.evidence.evidence_for_sat import as_definitions
from falsum.defects.evidence.evidence_session import EvidenceSession
from falsum.defects.evidence.judgement import Evidence
from falsum.defects.model_check import satisfies
from falsum.defects.open_points import choose_alike, is_held_to_its_word
from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.request import Request, Want


def not_unsat(session: EvidenceSession, script: str, suspect: str) -> Evidence | None:
    """Evidence that a part of a script which the suspect calls unsat is satisfiable; the part is a script of
    its own.
    """
    return _model_of(session, script, suspect) or _own_verdict(session, script, suspect)


def _own_verdict(session: EvidenceSession, script: str, suspect: str) -> Evidence | None:
    """The suspect itself answers sat to it, and no other solver answers unsat."""
    verdicts = {solver: session.verdict_on(solver, script) for solver in session.solvers}
    if verdicts[suspect] is not Verdict.SAT or Verdict.UNSAT in verdicts.values():
        return None
    if not is_held_to_its_word(session.case, suspect, session.lab):
        return None
    return Evidence(
        "own verdict", f"To what {suspect} names as the reason for unsat it answers sat itself.", script
    )


def _model_of(session: EvidenceSession, script: str, suspect: str) -> Evidence | None:
    """A verified model of what the suspect calls unsat."""
    flat = read_script(script)
    for solver in session.solvers:
        answer = session.lab.ask(Request(solver, script, Want.MODEL, cold=True))
        if answer.model is None or answer.verdict is not Verdict.SAT:
            continue
        holds, always = satisfies(flat, answer.model)
        if holds and (always or choose_alike(session.case, (solver, suspect), session.lab)):
            return Evidence(
                "model",
                f"What {suspect} names is not unsat: under this model, printed by {solver}, all of it "
                "evaluates to true in falsum's own evaluator.",
                f"{script}; a model:\n{as_definitions(flat, answer.model)}",
            )
    return None
