"""A script that a user brings, judged and recorded like a finding of a campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from falsum.defects.case import Case
from falsum.defects.diagnosis import find
from falsum.defects.finding import Finding
from falsum.solvers.answer import Answer
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver
from falsum.store.records import FindingRecord, record_of
from falsum.strategies.mutant import Mutant

# What stands for the strategy of a script that no strategy made.
STRATEGY: Final = "none"


def own_case(name: str, script: str) -> Case:
    """The case of a script that a user brings."""
    return Case(Mutant(script, lineage=(f"the script {name}",)), (), Want.VERDICT)


def record_in(
    name: str, script: str, suspects: Sequence[str], solvers: Sequence[Solver], limits: Limits
) -> tuple[FindingRecord | None, dict[str, Answer]]:
    """The first finding about one of the suspects (about any solver if there are none), and all answers."""
    with LiveLab(solvers, limits) as lab:
        answers = {solver: lab.ask(Request(solver, script, cold=True)) for solver in lab.solvers}
        finding = find(own_case(name, script), lab, tuple(suspects) or lab.solvers)
    if finding is None:
        return None, answers
    by_name = {solver.name: solver for solver in solvers}
    return record_of(completed(finding, by_name), STRATEGY, "0", 0, 0), answers


def completed(finding: Finding, solvers: Mapping[str, Solver]) -> Finding:
    """The finding with the exact input of each solver, as a fresh process gets it."""
    exchanges = tuple(solvers[each.request.solver].completed(each) for each in finding.exchanges)
    return replace(finding, exchanges=exchanges)
