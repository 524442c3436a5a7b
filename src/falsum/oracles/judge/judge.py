"""The judge: who is wrong, by the strongest evidence that can be had.

Evidence is looked for in this order: a model our evaluator verifies; a claim with its witness; a model
relayed into other solvers; then, for unsat, refutation by our evaluator, solvers that contradict themselves,
a core that all others confirm, a checked proof; what a strategy promised; last a majority, and it is called
that.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence

from falsum.errors import FalsumError
from falsum.oracles.finding import Subject
from falsum.oracles.judge import evidence_for_sat, evidence_for_unsat
from falsum.oracles.judge.evidence_session import Hearing, open_hearing
from falsum.oracles.judge.independence import current_verdicts, families
from falsum.oracles.judge.judgement import MAJORITY, OPEN_POINT, WRONG_VERDICTS, Defect, Evidence, Judgement
from falsum.oracles.judge.other_defects import word_without_contradiction
from falsum.oracles.open_points import choose_alike, differing_point, leaves_all_open, misreads_strings
from falsum.smtlib import Script, read_script
from falsum.smtlib.at_check import at_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.lab_views import DeadlineLab
from falsum.strategies.mutant import Claim

__all__ = ["Defect", "Evidence", "Judgement", "judge", "proves_sat", "refuted"]

_PROVEN = frozenset({"model", "witness", "evaluation"})
_OPPOSITE = {Verdict.SAT: Verdict.UNSAT, Verdict.UNSAT: Verdict.SAT}


def judge(
    script: str,
    suspects: Sequence[str],
    solvers: Sequence[str],
    lab: Lab,
    *,
    claim: Claim | None = None,
    about: Subject | None = None,
    check: int | None = None,
    seconds: float | None = None,
) -> Judgement:
    """The word on what solvers say to a script.

    `suspects` are whom a finding suspects; all of `solvers` are heard, and more of them know more. `about` is
    what the finding is about, if there is one; `check` the check in question (from 0), by default the first
    one at which voices contradict each other. Everything is asked in fresh processes. After so many `seconds`
    nobody is asked any more, and only what our own evaluator proves is still said.
    """
    hurried = DeadlineLab(lab, time.monotonic() + seconds) if seconds is not None else None
    heard = tuple(dict.fromkeys((*suspects, *solvers)))
    hearing = open_hearing(script, heard, hurried or lab, check)
    judged = _judge(hearing, tuple(suspects), claim, about)
    if hurried is not None and hurried.missed and judged.suspects and not _stands_alone(judged):
        told = Evidence("time", "The time was up before everybody had been heard, so nobody is blamed.")
        return Judgement(Defect.UNDECIDED, (), None, (told, *judged.evidence), judged.check)
    return judged


def _stands_alone(judged: Judgement) -> bool:
    """Whether nobody's objection could change it."""
    return judged.defect is Defect.CRASH or judged.evidence[0].kind in _PROVEN


def _judge(
    hearing: Hearing, suspects: tuple[str, ...], claim: Claim | None, about: Subject | None
) -> Judgement:
    if about in (None, Subject.VERDICT):
        if _is_contested(hearing, claim):
            return _contradiction(hearing, claim)
    elif about is not Subject.CRASH and _is_contested(hearing, claim):
        judged = _contradiction(hearing, claim)
        # Another contradiction than the one the finding is about is another finding.
        if not suspects or set(judged.suspects) & set(suspects):
            return judged
    return word_without_contradiction(hearing, suspects, about)


def _is_contested(hearing: Hearing, claim: Claim | None) -> bool:
    sat, unsat = hearing.voices(Verdict.SAT), hearing.voices(Verdict.UNSAT)
    promised = _promised(hearing, claim)
    return bool((sat or promised is Verdict.SAT) and (unsat or promised is Verdict.UNSAT))


def _promised(hearing: Hearing, claim: Claim | None) -> Verdict | None:
    verdicts = claim.verdicts if claim is not None else ()
    return verdicts[hearing.check] if hearing.check < len(verdicts) else None


def _contradiction(hearing: Hearing, claim: Claim | None) -> Judgement:
    """Somebody says sat and somebody unsat: who is right?"""
    if (support := evidence_for_sat.of_sat(hearing, claim)) is not None:
        accused = tuple(s for s in _to_blame(hearing, Verdict.SAT) if _binds(support, s, hearing))
        if accused:
            return _judged(hearing, Verdict.SAT, accused, (support.evidence,))
        return _undecided(hearing, support.evidence)
    alike = choose_alike(hearing.case, hearing.solvers, hearing.lab)
    accused = _to_blame(hearing, Verdict.UNSAT)
    for_unsat = _for_unsat(hearing, accused, alike=alike)
    if for_unsat:
        if accused:
            return _judged(hearing, Verdict.UNSAT, accused, for_unsat)
        return _undecided(hearing, *for_unsat)
    if (promised := _promised(hearing, claim)) is not None and promised.decided and alike:
        told = Evidence("construction", f"The script was made to be {promised}, whatever a solver says.")
        return _judged(hearing, promised, _to_blame(hearing, promised), (told,))
    return _by_majority(hearing) if alike else _undecided(hearing)


def _binds(support: evidence_for_sat.Support, solver: str, hearing: Hearing) -> bool:
    """Whether evidence for sat counts against a solver, whatever it chooses at open points."""
    if not support.has_choices or leaves_all_open(hearing.case, solver, hearing.lab):
        return True
    parties = (*support.parties, solver) if support.parties else ()
    return bool(parties) and choose_alike(hearing.case, parties, hearing.lab)


def _to_blame(hearing: Hearing, truth: Verdict) -> tuple[str, ...]:
    """Who says the opposite of the truth, and reads the script as the standard has it."""
    wrong = hearing.sayers(_OPPOSITE[truth]) or hearing.voices(_OPPOSITE[truth])
    return tuple(solver for solver in wrong if not misreads_strings(hearing.case, solver, hearing.lab))


def _for_unsat(hearing: Hearing, accused: tuple[str, ...], *, alike: bool) -> tuple[Evidence, ...]:
    """All that speaks for unsat, the strongest first; empty if it does not suffice."""
    if hearing.flat is None:
        return ()
    evaluated = evidence_for_unsat.by_evaluation(hearing.flat)
    if evaluated is not None:
        # Alone against two independent products our evaluator may be the one at fault.
        sides = [len(families(hearing.voices(verdict))) for verdict in (Verdict.SAT, Verdict.UNSAT)]
        return (evaluated,) if sides[0] < 2 or sides[1] >= 2 else ()
    core = evidence_for_unsat.smallest_core(hearing)
    if core is None or not alike:
        return ()
    against = _against_each(hearing, core)
    confirmed = evidence_for_unsat.core_confirmed(hearing, core, accused)
    proof = evidence_for_unsat.proof(hearing, core)
    found = tuple(each for each in (*against.values(), confirmed, proof) if each is not None)
    everybody = set(hearing.voices(Verdict.SAT)) <= set(against)
    # Whoever contradicts itself may still be right; that somebody else finds it unsat has to be added.
    sufficient = confirmed is not None or proof is not None
    return found if sufficient or (everybody and _is_found_unsat(hearing, accused)) else ()


def _is_found_unsat(hearing: Hearing, accused: tuple[str, ...]) -> bool:
    """Whether somebody to be trusted says unsat: another product, two voices, or a newest release."""
    unsat = hearing.voices(Verdict.UNSAT)
    said = dict.fromkeys(hearing.voices(Verdict.SAT), Verdict.SAT) | dict.fromkeys(unsat, Verdict.UNSAT)
    others = set(families(unsat)) - set(families(accused))
    return bool(others) or len(unsat) > 1 or Verdict.UNSAT in current_verdicts(said).values()


def _against_each(hearing: Hearing, core: str) -> dict[str, Evidence]:
    """What speaks against each one who says sat, by itself."""
    found: dict[str, Evidence] = {}
    for solver in hearing.voices(Verdict.SAT):
        evidence = (
            evidence_for_unsat.own_model_false(hearing, solver)
            or evidence_for_unsat.against_itself(hearing, solver, core)
            or evidence_for_unsat.model_refuted_by_others(hearing, solver)
        )
        if evidence is not None:
            found[solver] = evidence
    return found


def _by_majority(hearing: Hearing) -> Judgement:
    """The side with more independent products, each speaking by its newest release that decides.

    If all are of one product, the newest release, if it has most of the others on its side.
    """
    sides = {verdict: hearing.voices(verdict) for verdict in (Verdict.SAT, Verdict.UNSAT)}
    current = current_verdicts({s: verdict for verdict, side in sides.items() for s in side})
    votes = Counter(current.values())
    truth = max(sides, key=lambda verdict: votes[verdict])
    against = _OPPOSITE[truth]
    if votes[truth] == votes[against]:
        return _undecided(hearing)
    if len(current) == 1 and len(sides[truth]) <= len(sides[against]):
        return _undecided(hearing)
    accused = _to_blame(hearing, truth)
    if not accused or evidence_for_sat.evaluator_dissents(hearing, truth):
        return _undecided(hearing)
    said = f"{', '.join(sides[truth])} say {truth}, {', '.join(sides[against])} {against}."
    told = f"{said} This is a majority and no proof."
    return _judged(hearing, truth, accused, (Evidence(MAJORITY, told),))


def _judged(
    hearing: Hearing, truth: Verdict, accused: tuple[str, ...], evidence: tuple[Evidence, ...]
) -> Judgement:
    return Judgement(WRONG_VERDICTS[truth], accused, truth, evidence, hearing.check)


def _undecided(hearing: Hearing, *evidence: Evidence) -> Judgement:
    sides = "; ".join(
        f"{', '.join(hearing.voices(verdict))}: {verdict}"
        for verdict in (Verdict.SAT, Verdict.UNSAT)
        if hearing.voices(verdict)
    )
    told = [Evidence("contradiction", f"{sides}. Nothing that falsum knows of decides who is right.")]
    point = differing_point(hearing.case, hearing.solvers, hearing.lab)
    if point is not None:
        told = [
            Evidence(
                OPEN_POINT,
                f"{sides}. The script touches a point the standard leaves open or that older releases read "
                f"in another way ({point.name}), and these solvers take it differently: they may all be "
                "right.",
            )
        ]
    return Judgement(Defect.UNDECIDED, (), None, (*told, *evidence), hearing.check)


def proves_sat(script: str, check: int, model: str) -> bool:
    """Whether a model, as a solver prints it, satisfies all that is in force at a check of the script."""
    flat = _in_force(script, check)
    return flat is not None and evidence_for_sat.satisfies(flat, model)[0]


def refuted(script: str, check: int) -> str:
    """Why what is in force at a check is unsat by our evaluator alone; "" if that is not known."""
    flat = _in_force(script, check)
    evidence = evidence_for_unsat.by_evaluation(flat) if flat is not None else None
    return f"{evidence.text} {evidence.details}".strip() if evidence is not None else ""


def _in_force(script: str, check: int) -> Script | None:
    try:
        return at_check(read_script(script), check)
    except FalsumError:
        return None
