"""What the judge and the evaluator say about one check; the only module of audits that uses `defects`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from falsum.audits.query.parts import parts_of
from falsum.defects.evidence.assessment import evidence_for_verdict
from falsum.defects.evidence.evidence_for_unsat import own_model_false
from falsum.defects.evidence.evidence_session import EvidenceSession
from falsum.defects.evidence.judgement import MAJORITY
from falsum.defects.judge import judge
from falsum.errors import FalsumError
from falsum.smtlib import Script, read_script
from falsum.smtlib.at_check import at_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab

# The judge asks no solver after so many time limits.
_JUDGE_LIMITS: Final = 20


@dataclass(frozen=True, slots=True)
class Contradicted:
    """The judgement on a contradiction: `suspects` are wrong, none if falsum cannot say who is; `reason` is
    whole sentences.
    """

    reason: str
    suspects: tuple[str, ...] = ()


def judge_check(text: str, check: int, lab: Lab, limit: float) -> Contradicted:
    """Judge a check (from 0) at which solvers contradict each other; `limit` is that of a run, in seconds."""
    alone = text_of_check(text, check)
    judgement = judge(alone, (), lab.solvers, lab, check=0, seconds=_JUDGE_LIMITS * limit)
    if not judgement.evidence:
        return Contradicted("The contradiction does not show when this check is asked alone.")
    reason = " ".join(each.text for each in judgement.evidence)
    certain = judgement.evidence[0].kind != MAJORITY
    return Contradicted(f"{judgement.defect}: {reason}", judgement.suspects if certain else ())


@dataclass(frozen=True, slots=True)
class CheckEvidence:
    """Evidence for the verdict of a check, "" if there is none; or the solvers that give a wrong model."""

    evidence: str = ""
    wrong_model: str = ""
    suspects: tuple[str, ...] = ()


def confirm_check(text: str, check: int, verdict: Verdict, lab: Lab) -> CheckEvidence:
    """Looks for evidence that a verdict no solver contradicts is right: a model that falsum's evaluator
    verifies, a core to which other products answer unsat as well, a checked proof, an evaluation.
    """
    alone = text_of_check(text, check)
    flat = _flat(alone)
    if flat is None:
        return CheckEvidence()
    session = EvidenceSession(alone, lab.solvers, lab, 0, flat)
    # The verdict may be right, by the model of another solver, and this model wrong all the same.
    for solver in session.answering(Verdict.SAT) if verdict is Verdict.SAT else ():
        wrong = own_model_false(session, solver)
        if wrong is not None:
            return CheckEvidence("", wrong.text, (solver,))
    evidence = evidence_for_verdict(session, verdict)
    return CheckEvidence(evidence[0].text if evidence else "")


def text_of_check(text: str, check: int) -> str:
    """The script with one check of a query alone."""
    part = next(each for each in reversed(parts_of(text)) if each.first <= check)
    return part.alone(check - part.first)


def _flat(alone: str) -> Script | None:
    """The assertions at the check; None if falsum does not understand the whole script."""
    try:
        script = read_script(alone)
        return None if script.not_understood else at_check(script, 0)
    except FalsumError:
        return None
