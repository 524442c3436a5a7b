"""Reduces the script of a finding, while its symptom stays or the oracle finds it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from falsum.campaign.triage import result
from falsum.campaign.triage.predicate import ReductionTarget
from falsum.campaign.triage.reduction import reduce_by_oracle, reduce_finding
from falsum.campaign.triage.result import ReductionRecord
from falsum.campaign.triage.scripts.finding import ScriptFinding
from falsum.campaign.triage.symptom import Symptom, SymptomKind
from falsum.errors import ScriptError, UsageError
from falsum.oracles.judge.judgement import Defect, Judgement
from falsum.smtlib.verdict import Verdict
from falsum.solvers.solver import Solver

_MAX_REFERENCES: Final = 2
# Symptoms that mean nothing without what the solver is compared with.
_BY_ORACLE: Final = frozenset({SymptomKind.UNKNOWN, SymptomKind.SLOW})


def reduce_script(finding: ScriptFinding, judgement: Judgement) -> tuple[str, ReductionRecord | None]:
    """The script, reduced if possible; what an earlier triage has kept is used again."""
    script = finding.record.script
    kept = result.load(finding.folder, result.REDUCTION, ReductionRecord)
    if kept is not None and (finding.folder / result.REDUCED).is_file():
        return (finding.folder / result.REDUCED).read_text(errors="surrogateescape"), kept
    symptom, suspect = finding.symptom(judgement, script)
    if symptom is None and judgement.defect is Defect.UNDECIDED:
        symptom, suspect = _presumed_symptom(finding, judgement)
    seconds = finding.reduction_seconds
    if finding.oracle.subject.needs_oracle and (symptom is None or symptom.kind in _BY_ORACLE):
        return _reduced(
            finding,
            lambda: reduce_by_oracle(
                finding.record,
                finding.oracle_target(),
                finding.compared(),
                finding.limits,
                seconds,
                finding.job.jobs,
            ),
        )
    if symptom is None or suspect is None:
        finding.remarks.append("not reduced: no answer to a single script is wrong")
        return script, None
    references = _references(finding, symptom, suspect) if symptom.truth is not None else []
    target = ReductionTarget({suspect.name: symptom}, tuple(solver.name for solver in references))
    return _reduced(
        finding,
        lambda: reduce_finding(
            finding.record, target, (suspect, *references), finding.limits, seconds, finding.job.jobs
        ),
    )


def _reduced(
    finding: ScriptFinding, attempt: Callable[[], tuple[str, ReductionRecord]]
) -> tuple[str, ReductionRecord | None]:
    """The outcome of a reduction, kept if it is confirmed."""
    script = finding.record.script
    try:
        small, reduction = attempt()
    except (UsageError, ScriptError) as error:
        finding.remarks.append(f"not reduced: {error}")
        return script, None
    if not reduction.is_confirmed:
        finding.remarks.append("not reduced: the small script does not show it in a fresh process")
        return script, reduction
    result.write(finding.folder, result.REDUCED, small)
    result.write(finding.folder, result.REDUCTION, reduction)
    return small, reduction


def _presumed_symptom(finding: ScriptFinding, judgement: Judgement) -> tuple[Symptom | None, Solver | None]:
    """For a disagreement that stays undecided: as if the solvers that are not suspected were right."""
    said = {s.name: finding.verdict(s, judgement.check) for s in finding.solvers}
    for suspect in finding.solvers:
        verdict = said[suspect.name]
        if suspect.name not in finding.record.suspects or verdict is None:
            continue
        against = [v for v in said.values() if v is not None and v.contradicts(verdict)]
        if against:
            return Symptom(SymptomKind.WRONG_VERDICT, check=judgement.check, truth=against[0]), suspect
    return None, None


def _references(finding: ScriptFinding, symptom: Symptom, suspect: Solver) -> list[Solver]:
    """Solvers that are right, other products first; one is enough if a model may show the truth."""
    right = [s for s in finding.solvers if finding.verdict(s, symptom.check) is symptom.truth]
    right.sort(key=lambda s: s.profile.product == suspect.profile.product)
    return right[: 1 if symptom.truth is Verdict.SAT else _MAX_REFERENCES]
