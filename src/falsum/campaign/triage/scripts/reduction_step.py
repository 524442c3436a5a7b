"""Reduces the script of a finding, while it shows the same defect."""

from __future__ import annotations

from collections.abc import Callable

from falsum.campaign.triage import result
from falsum.campaign.triage.reduction import reduce_finding
from falsum.campaign.triage.result import ReductionRecord
from falsum.campaign.triage.scripts.session import TriageSession
from falsum.defects.diagnosis import presumed_target, with_references
from falsum.defects.evidence.judgement import Defect, Judgement
from falsum.defects.same_defect import Kept
from falsum.errors import ScriptError, UsageError
from falsum.solvers.request import Request


def reduce_script(session: TriageSession, judgement: Judgement) -> tuple[str, ReductionRecord | None]:
    """The script, reduced if possible; the result of an earlier triage is reused."""
    script = session.record.script
    reduction = result.load(session.folder, result.REDUCTION, ReductionRecord)
    if reduction is not None and (session.folder / result.REDUCED).is_file():
        return (session.folder / result.REDUCED).read_text(errors="surrogateescape"), reduction
    target, suspect = session.target(judgement, script)
    answers = {s.name: session.lab.ask(Request(s.name, script, cold=True)) for s in session.solvers}
    if target is None and judgement.defect == Defect.UNDECIDED:
        presumed = presumed_target(judgement, session.record.suspects, answers)
        if presumed is not None:
            target = presumed[0]
            suspect = next(solver for solver in session.solvers if solver.name == presumed[1])
    if target is None or suspect is None:
        session.remarks.append("not reduced: no answer to a single script is wrong")
        return script, None
    target = with_references(target, suspect.name, answers, session.record.witness)
    names = {suspect.name, *target.references}
    if target.truth is None:
        names |= {solver.name for solver in session.compared()}
    solvers = [solver for solver in session.solvers if solver.name in names]
    # An oracle that compares solvers may have found several that cannot all be right.
    kept_target = Kept(target, (suspect.name,))
    return _reduced(
        session,
        lambda: reduce_finding(
            session.record,
            kept_target,
            solvers,
            session.limits,
            session.reduction_seconds,
            session.job.jobs,
        ),
    )


def _reduced(
    session: TriageSession, attempt: Callable[[], tuple[str, ReductionRecord]]
) -> tuple[str, ReductionRecord | None]:
    """The result of a reduction, kept if it is confirmed."""
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
