"""Triage of a finding: judged, reduced, judged again; the options it needs and the releases that show it.

Every step writes its file to the finding's folder before the next begins, so a killed triage can resume;
`triage.json` comes last and marks triage as complete.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from falsum.campaign.triage import result
from falsum.campaign.triage.groups import known_in_store
from falsum.campaign.triage.job import Job, resolved
from falsum.campaign.triage.result import Triage
from falsum.campaign.triage.scripts.session import TriageSession
from falsum.campaign.triage.scripts.triage import triage_script
from falsum.campaign.triage.traces.triage import triage_trace
from falsum.defects.identity.known import known_in_atlas, read_known, recognised
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder


def triage(job: Job, zoo: Zoo | None = None) -> Triage:
    """All results of triage for a finding in the given time; kept in its folder."""
    folder = Path(job.folder)
    record = finding_folder.read(folder)
    if (complete := result.read(folder)) is not None:
        return complete
    zoo = zoo or Zoo()
    limits = Limits(seconds=job.timeout, memory=job.memory)
    if record.trace is not None:
        triaged = triage_trace(record, record.trace, limits, zoo, bisects=job.bisects)
    else:
        solvers, remarks = resolved(record, job.solvers, zoo)
        with LiveLab(solvers, limits) as lab:
            triaged = triage_script(TriageSession(job, folder, record, zoo, solvers, lab, limits, remarks))
    triaged = _recognised(folder, triaged)
    result.write(folder, result.TRIAGE, triaged)
    return triaged


def recognise(folder: Path) -> Triage | None:
    """Check again whether a finding that was triaged elsewhere is known in this store."""
    triaged = result.read(folder)
    if triaged is not None:
        triaged = _recognised(folder, triaged)
        result.write(folder, result.TRIAGE, triaged)
    return triaged


def _recognised(folder: Path, triaged: Triage) -> Triage:
    fixed_in = triaged.bisection.fixed_in if triaged.bisection is not None else ""
    entries = (*read_known(), *known_in_atlas(triaged.product, triaged.release, fixed_in))
    recognition = recognised(triaged.signature, (*entries, *known_in_store(folder, triaged.bisection)))
    return msgspec.structs.replace(triaged, known=str(recognition or ""))
