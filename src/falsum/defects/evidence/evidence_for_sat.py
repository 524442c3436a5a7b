"""Evidence for sat: a verified model, a claim's witness, one drawn at random, a model relayed to others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from falsum.defects.evidence.drawn_model import drawn_model
from falsum.defects.evidence.evidence_session import EvidenceSession, PrintedModel
from falsum.defects.evidence.judgement import Evidence, clause
from falsum.defects.model_check import falsified, satisfies
from falsum.errors import FalsumError
from falsum.smtlib import Script
from falsum.smtlib.consequences import relay
from falsum.smtlib.evaluation.evaluator import STEPS
from falsum.smtlib.models.model import declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.verdict import Verdict
from falsum.solvers.names import current_verdicts, families, family_of
from falsum.strategies.mutant import Claim

_MOST_RELAYED: Final = 4


@dataclass(frozen=True, slots=True)
class Support:
    """Evidence for sat. If it depends on choices that the standard leaves open, it counts only against
    solvers that leave them open or choose as `choosers` do.
    """

    evidence: Evidence
    has_choices: bool = False
    choosers: tuple[str, ...] = ()


def support_for_sat(session: EvidenceSession, claim: Claim | None) -> Support | None:
    """The strongest evidence for sat."""
    if session.flat is None:
        return None
    flat = session.flat
    return (
        _verified(session, flat)
        or _witness(session, flat, claim)
        or _drawn(session, flat)
        or _relayed(session)
    )


def as_definitions(flat: Script, model: str) -> str:
    """A model as standard definitions; as printed if that is not possible."""
    try:
        return print_model(read_model(model, flat), declared_functions(flat)) or model
    except FalsumError:
        return model


def _verified(session: EvidenceSession, flat: Script) -> Support | None:
    weaker: Support | None = None
    for model in session.models():
        holds, always = satisfies(flat, model.text)
        if holds and not _is_refused_by_others(session, flat, model):
            support = Support(_model_evidence(flat, model), not always, (model.solver,))
            if always:
                return support
            weaker = weaker or support
    return weaker


def _is_refused_by_others(session: EvidenceSession, flat: Script, model: PrintedModel) -> bool:
    """Whether two independent products refuse the model and none accepts it, so that our evaluator may
    be wrong.
    """
    accepting, refusing = verdicts_on_model(session, flat, model)
    independent = [solver for solver in accepting if family_of(solver) != family_of(model.solver)]
    return not independent and len(families(refusing)) > 1


def evaluator_contradicts(session: EvidenceSession, truth: Verdict) -> bool:
    """Whether our evaluator proves a fact about a model that cannot hold if this verdict is right."""
    if session.flat is None:
        return False
    for model in session.models():
        if truth is Verdict.SAT and falsified(session.flat, model.text, STEPS) is not None:
            return True
        if truth is Verdict.UNSAT and satisfies(session.flat, model.text).holds:
            return True
    return False


def verdicts_on_model(
    session: EvidenceSession, flat: Script, model: PrintedModel
) -> tuple[list[str], list[str]]:
    """The solvers that answer sat, and those that answer unsat, to the script with the model substituted."""
    spellings = with_model_substituted(flat, model.text)
    verdicts = {s: session.verdict_on(s, *spellings) for s in session.solvers} if spellings else {}
    return (
        [solver for solver, verdict in verdicts.items() if verdict is Verdict.SAT],
        [solver for solver, verdict in verdicts.items() if verdict is Verdict.UNSAT],
    )


def with_model_substituted(flat: Script, model: str) -> tuple[str, ...]:
    """The script with the model's definitions in place of declarations, under any logic."""
    text = relay.with_model(flat, model)
    return tuple(dict.fromkeys((text, relay.widened(text)))) if text is not None else ()


def _model_evidence(flat: Script, model: PrintedModel) -> Evidence:
    return Evidence(
        "model",
        f"Under this model, printed by {model.solver}, every assertion evaluates to true in falsum's own "
        "evaluator, so the script is sat.",
        as_definitions(flat, model.text),
    )


def _witness(session: EvidenceSession, flat: Script, claim: Claim | None) -> Support | None:
    if claim is None or not claim.witness:
        return None
    if session.check >= len(claim.verdicts) or claim.verdicts[session.check] is not Verdict.SAT:
        return None
    holds, always = satisfies(flat, claim.witness)
    if not holds:
        return None
    return Support(
        Evidence(
            "witness",
            "The script is sat: this model was known before any solver was asked about the script, and it "
            "satisfies every assertion.",
            as_definitions(flat, claim.witness),
        ),
        # Which solver made the choices is no longer known.
        has_choices=not always,
    )


def _drawn(session: EvidenceSession, flat: Script) -> Support | None:
    """A drawn model, for scripts with few symbols; only tried if a solver answers unsat."""
    if not session.answering(Verdict.UNSAT):
        return None
    model = drawn_model(flat)
    text = "The script is sat: under this model, drawn at random, every assertion evaluates to true."
    return Support(Evidence("witness", text, as_definitions(flat, model))) if model else None


def _relayed(session: EvidenceSession) -> Support | None:
    """A model that our evaluator cannot decide, with which other solvers find the script sat."""
    flat = session.flat
    assert flat is not None
    suspects = frozenset(session.answering(Verdict.UNSAT))
    for number, model in enumerate(session.models()):
        if number >= _MOST_RELAYED:
            break
        if falsified(flat, model.text, STEPS) is not None:
            continue
        accepting, refusing = verdicts_on_model(session, flat, model)
        texts = with_model_substituted(flat, model.text)[:1]
        # Only with the same logic and the same options a solver is held to its word.
        inconsistent = [
            solver
            for solver in accepting
            if solver in suspects and session.verdict_on(solver, *texts) is Verdict.SAT
        ]
        verdicts = dict.fromkeys(accepting, Verdict.SAT) | dict.fromkeys(refusing, Verdict.UNSAT)
        independent = Verdict.SAT in current_verdicts(verdicts).values() and any(
            family_of(solver) != family_of(model.solver) for solver in accepting
        )
        if (inconsistent or independent) and suspects.issuperset(refusing):
            evidence = _relay_evidence(model, accepting, inconsistent, texts[0])
            return Support(evidence, has_choices=True, choosers=(model.solver, *accepting))
    return None


def _relay_evidence(
    model: PrintedModel, accepting: list[str], inconsistent: list[str], script: str
) -> Evidence:
    text = (
        f"With the model of {model.solver} substituted as definitions, {clause(accepting, 'answer', 'sat')}."
    )
    if inconsistent:
        own = "its own answer" if len(inconsistent) == 1 else "their own answers"
        text += (
            f" This way {clause(inconsistent, 'contradict', own)}, since definitions only restrict a script."
        )
    else:
        text += f" These are {len(families([*accepting, model.solver]))} independent products."
    return Evidence("relayed model", text, script)
