"""Judges contradicting verdicts: which of them is right, by the strongest evidence available.

Evidence is looked for in this order: a model our evaluator verifies; a claim with its witness; a model
relayed to other solvers; then, for unsat, refutation by our evaluator, solvers that contradict themselves, a
core that all others confirm, a checked proof; what a strategy claims; last a majority, which is called that.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from falsum.defects.case import Case
from falsum.defects.evidence import evidence_for_sat, evidence_for_unsat
from falsum.defects.evidence.evidence_session import EvidenceSession
from falsum.defects.evidence.horn_evidence import derivation
from falsum.defects.evidence.judgement import (
    MAJORITY,
    OPEN_POINT,
    WRONG_VERDICTS,
    Defect,
    Evidence,
    Judgement,
    clause,
)
from falsum.defects.open_points import (
    choose_alike,
    differing_point,
    has_related_choices,
    leaves_all_open,
    misreads_strings,
    touched,
)
from falsum.smtlib.fragments.recursion import has_solution
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab_views import ColdLab
from falsum.solvers.names import current_verdicts, families
from falsum.strategies.mutant import Claim

_OPPOSITE: Final = {Verdict.SAT: Verdict.UNSAT, Verdict.UNSAT: Verdict.SAT}


def is_contradicted(session: EvidenceSession, claim: Claim | None) -> bool:
    sat, unsat = session.answering(Verdict.SAT), session.answering(Verdict.UNSAT)
    claimed = _claimed(session, claim)
    return bool((sat or claimed is Verdict.SAT) and (unsat or claimed is Verdict.UNSAT))


def _claimed(session: EvidenceSession, claim: Claim | None) -> Verdict | None:
    verdicts = claim.verdicts if claim is not None else ()
    return verdicts[session.check] if session.check < len(verdicts) else None


def judge_verdicts(session: EvidenceSession, claim: Claim | None) -> Judgement:
    """Judge which of two contradicting verdicts is right."""
    if (support := evidence_for_sat.support_for_sat(session, claim)) is not None:
        wrong = tuple(s for s in _contradicting(session, Verdict.SAT) if _counts_against(support, s, session))
        if wrong:
            return _wrong_verdict(session, Verdict.SAT, wrong, (support.evidence,))
        return undecided(session, support.evidence)
    alike = choose_alike(session.case, session.solvers, session.lab)
    wrong = _contradicting(session, Verdict.UNSAT)
    for_unsat = _evidence_for_unsat(session, wrong, alike=alike)
    if for_unsat and evidence_for_sat.evaluator_contradicts(session, Verdict.UNSAT):
        # A model that our evaluator accepts and others refuse: either may be wrong.
        return undecided(session)
    if for_unsat:
        if wrong:
            return _wrong_verdict(session, Verdict.UNSAT, wrong, for_unsat)
        return undecided(session, *for_unsat)
    if (claimed := _claimed(session, claim)) is not None and claimed.decided and alike:
        by_construction = Evidence("construction", f"The script was constructed to be {claimed}.")
        return _wrong_verdict(session, claimed, _contradicting(session, claimed), (by_construction,))
    return _by_majority(session) if alike else undecided(session)


def _counts_against(support: evidence_for_sat.Support, solver: str, session: EvidenceSession) -> bool:
    """Whether evidence for sat counts against a solver, given its choices at open points."""
    if not support.has_choices or leaves_all_open(session.case, solver, session.lab):
        return True
    together = (*support.choosers, solver) if support.choosers else ()
    return bool(together) and choose_alike(session.case, together, session.lab)


def _contradicting(session: EvidenceSession, truth: Verdict) -> tuple[str, ...]:
    """The solvers that contradict the truth, without those that read strings differently from the
    standard.
    """
    opposite = _OPPOSITE[truth]
    wrong = session.answering_as_is(opposite) or session.answering(opposite)
    return tuple(solver for solver in wrong if not misreads_strings(session.case, solver, session.lab))


def _evidence_for_unsat(
    session: EvidenceSession, suspects: tuple[str, ...], *, alike: bool
) -> tuple[Evidence, ...]:
    """All evidence for unsat, the strongest first; none if it does not suffice."""
    if session.flat is None:
        return ()
    evaluated = evidence_for_unsat.by_evaluation(session.flat)
    if evaluated is not None:
        # If two independent products contradict our evaluator and none agrees, it may be wrong.
        products = {v: len(families(session.answering(v))) for v in (Verdict.SAT, Verdict.UNSAT)}
        return (evaluated,) if products[Verdict.SAT] < 2 or products[Verdict.UNSAT] >= 2 else ()
    derived = derivation(session.flat, session.solvers, ColdLab(session.lab, again=False))
    if derived is not None:
        return (derived,)
    core = evidence_for_unsat.smallest_core(session)
    if core is None or not alike:
        return ()
    against = _evidence_against_each(session, core)
    core_evidence = evidence_for_unsat.confirmed_core(session, core, suspects)
    proof = evidence_for_unsat.checked_proof(session, core)
    evidence = tuple(each for each in (*against.values(), core_evidence, proof) if each is not None)
    all_contradict_themselves = set(session.answering(Verdict.SAT)) <= set(against)
    # A solver that contradicts itself may still be right, so another one has to find the script unsat.
    is_enough = core_evidence is not None or proof is not None
    return evidence if is_enough or (all_contradict_themselves and _is_found_unsat(session, suspects)) else ()


def _is_found_unsat(session: EvidenceSession, suspects: tuple[str, ...]) -> bool:
    """Whether another product, two solvers, or the newest release of a product answer unsat."""
    unsat = session.answering(Verdict.UNSAT)
    verdicts = dict.fromkeys(session.answering(Verdict.SAT), Verdict.SAT) | dict.fromkeys(
        unsat, Verdict.UNSAT
    )
    others = set(families(unsat)) - set(families(suspects))
    return bool(others) or len(unsat) > 1 or Verdict.UNSAT in current_verdicts(verdicts).values()


def _evidence_against_each(session: EvidenceSession, core: str) -> dict[str, Evidence]:
    """Evidence against each solver that answers sat."""
    evidence_by_solver: dict[str, Evidence] = {}
    for solver in session.answering(Verdict.SAT):
        evidence = (
            evidence_for_unsat.own_model_false(session, solver)
            or evidence_for_unsat.self_contradiction(session, solver, core)
            or evidence_for_unsat.model_refuted_by_others(session, solver)
        )
        if evidence is not None:
            evidence_by_solver[solver] = evidence
    return evidence_by_solver


def _by_majority(session: EvidenceSession) -> Judgement:
    """The verdict of more independent products, each counted by its newest release that decides.

    If all are of one product, that of the newest release, if most of the others agree with it.
    """
    sides = {verdict: session.answering(verdict) for verdict in (Verdict.SAT, Verdict.UNSAT)}
    current = current_verdicts({s: verdict for verdict, side in sides.items() for s in side})
    votes = Counter(current.values())
    truth = max(sides, key=lambda verdict: votes[verdict])
    opposite = _OPPOSITE[truth]
    if votes[truth] == votes[opposite]:
        return undecided(session)
    if len(current) == 1 and len(sides[truth]) <= len(sides[opposite]):
        return undecided(session)
    wrong = _contradicting(session, truth)
    if not wrong or _is_doubtful(session, truth):
        return undecided(session)
    sentence = f"{clause(sides[truth], 'answer', truth)}, {clause(sides[opposite], 'answer', opposite)}."
    evidence = Evidence(MAJORITY, f"{sentence} This is a majority, not a proof.")
    return _wrong_verdict(session, truth, wrong, (evidence,))


def _is_doubtful(session: EvidenceSession, truth: Verdict) -> bool:
    """Whether our evaluator or a solver contradicts the majority."""
    if evidence_for_sat.evaluator_contradicts(session, truth):
        return True
    core = evidence_for_unsat.smallest_core(session)
    if truth is Verdict.UNSAT or session.flat is None or core is None:
        return False
    evaluated = evidence_for_unsat.by_evaluation(session.flat)
    return evaluated is not None or bool(_evidence_against_each(session, core))


def _wrong_verdict(
    session: EvidenceSession, truth: Verdict, suspects: tuple[str, ...], evidence: tuple[Evidence, ...]
) -> Judgement:
    if truth is Verdict.SAT and session.flat is not None and not has_solution(session.flat):
        return undecided(session)
    return Judgement(WRONG_VERDICTS[truth], suspects, truth, evidence, session.check)


def undecided(session: EvidenceSession, *evidence: Evidence) -> Judgement:
    sides = "; ".join(
        f"{', '.join(session.answering(verdict))}: {verdict}"
        for verdict in (Verdict.SAT, Verdict.UNSAT)
        if session.answering(verdict)
    )
    reason = Evidence("contradiction", f"{sides}. falsum found no evidence that decides which is right.")
    point = differing_point(session.case, session.solvers, session.lab)
    if not session.case.is_understood:
        reason = Evidence(
            "contradiction",
            f"{sides}. falsum does not understand the whole script, so it cannot tell whether it depends on "
            "a point that the standard leaves open: all of them may be right.",
        )
    elif session.flat is not None and not has_solution(session.flat):
        reason = Evidence(
            "contradiction",
            f"{sides}. The script has recursive definitions that may have no solution, and then unsat is "
            "right: falsum cannot tell.",
        )
    elif has_related_choices(session.case):
        reason = Evidence(
            OPEN_POINT,
            f"{sides}. The script can relate values to each other that the standard leaves open "
            f"({_points(session.case)}), and solvers may choose any relation: all of them may be right.",
        )
    elif point is not None:
        reason = Evidence(
            OPEN_POINT,
            f"{sides}. The script depends on a point that the standard leaves open or that older releases "
            f"read differently ({point.name}), and these solvers choose differently there: all of them may "
            "be right.",
        )
    return Judgement(Defect.UNDECIDED, (), None, (reason, *evidence), session.check)


def _points(case: Case) -> str:
    return "; ".join(dict.fromkeys(point.name for point in touched(case) if not point.is_reading))
