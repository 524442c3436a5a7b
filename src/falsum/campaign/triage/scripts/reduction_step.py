"""Reduces the script of a finding, while its symptom stays or the oracle finds it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from falsum.campaign.triage import result
from falsum.campaign.triage.predicate import ReductionTarget
from falsum.campaign.triage.reduction import reduce_by_oracle, reduce_finding
from falsum.campaign.triage.result import ReductionRecord
from falsum.campaign.triage.scripts.session import TriageSession
from falsum.campaign.triage.symptom import Symptom, SymptomKind
from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.errors import ScriptError, UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.solver import Solver

_MAX_REFERENCES: Final = 2
# Symptoms that mean nothing without what the solver is compared with.
_BY_ORACLE: Final = frozenset({SymptomKind.UNKNOWN, SymptomKind.SLOW})


def reduce_script(session: TriageSession, judgement: Judgement) -> tuple[str, ReductionRecord | None]:
    """The script, reduced if possible; what an earlier triage has kept is used again."""
    script = session.record.script
    kept = result.load(session.folder, result.REDUCTION, ReductionRecord)
    if kept is not None and (session.folder / result.REDUCED).is_file():
        return (session.folder / result.REDUCED).read_text(errors="surrogateescape"), kept
    symptom, suspect = session.symptom(judgement, script)
    if symptom is None and judgement.defect is Defect.UNDECIDED:
        symptom, suspect = _presumed_symptom(session, judgement)
    seconds = session.reduction_seconds
    if session.oracle.subject.needs_oracle and (symptom is None or symptom.kind in _BY_ORACLE):
        return _reduced(
            session,
            lambda: reduce_by_oracle(
                session.record,
                session.oracle_target(),
                session.compared(),
                session.limits,
                seconds,
                session.job.jobs,
            ),
        )
    if symptom is None or suspect is None:
        session.remarks.append("not reduced: no answer to a single script is wrong")
        return script, None
    references = _references(session, symptom, suspect) if symptom.truth is not None else []
    target = ReductionTarget({suspect.name: symptom}, tuple(solver.name for solver in references))
    return _reduced(
        session,
        lambda: reduce_finding(
            session.record, target, (suspect, *references), session.limits, seconds, session.job.jobs
        ),
    )


def _reduced(
    session: TriageSession, attempt: Callable[[], tuple[str, ReductionRecord]]
) -> tuple[str, ReductionRecord | None]:
    """The outcome of a reduction, kept if it is confirmed."""
    script = session.record.script
    try:
        small, reduction = attempt()
    except (UsageError, ScriptError) as error:
        session.remarks.append(f"not reduced: {error}")
        return script, None
    if not reduction.is_confirmed:
        session.remarks.append("not reduced: the small script does not show it in a fresh process")
        return script, reduction
    result.write(session.folder, result.REDUCED, small)
    result.write(session.folder, result.REDUCTION, reduction)
    return small, reduction


def _presumed_symptom(session: TriageSession, judgement: Judgement) -> tuple[Symptom | None, Solver | None]:
    """For a disagreement that stays undecided: as if the solvers that are not suspected were right."""
    said = {s.name: session.verdict(s, judgement.check) for s in session.solvers}
    for suspect in session.solvers:
        verdict = said[suspect.name]
        if suspect.name not in session.record.suspects or verdict is None:
            continue
        against = [v for v in said.values() if v is not None and v.contradicts(verdict)]
        if against:
            return Symptom(SymptomKind.WRONG_VERDICT, check=judgement.check, truth=against[0]), suspect
    return None, None


def _references(session: TriageSession, symptom: Symptom, suspect: Solver) -> list[Solver]:
    """Solvers that are right, other products first; one is enough if a model may show the truth."""
    right = [s for s in session.solvers if session.verdict(s, symptom.check) is symptom.truth]
    right.sort(key=lambda s: s.profile.product == suspect.profile.product)
    return right[: 1 if symptom.truth is Verdict.SAT else _MAX_REFERENCES]
