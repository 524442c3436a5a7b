"""One script that somebody brings: what is wrong with the answers to it, as a finding of a campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from falsum.defects import ALL, Oracle
from falsum.defects.case import Case
from falsum.defects.confirmation import examine
from falsum.defects.finding import Finding
from falsum.solvers.answer import Answer
from falsum.solvers.lab import LiveLab
from falsum.solvers.lab_views import ColdLab, SubsetLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver
from falsum.store.records import FindingRecord, record_of
from falsum.strategies.mutant import Mutant

# What stands for the strategy of a script that no strategy made.
STRATEGY: Final = "none"


def finding_in(
    name: str, script: str, suspects: Sequence[str], solvers: Sequence[Solver], limits: Limits
) -> tuple[FindingRecord | None, dict[str, Answer]]:
    """The first finding about one of the suspects, confirmed, and what every solver answers.

    The other solvers are there to be compared with.
    """
    with LiveLab(solvers, limits) as lab:
        answers = {solver: lab.ask(Request(solver, script, cold=True)) for solver in lab.solvers}
        for want, oracle in product((Want.VERDICT, Want.MODEL), ALL):
            if oracle.needs_history or oracle.want not in (Want.VERDICT, want):
                continue
            case = Case(Mutant(script, lineage=(f"the script {name}",)), (), want)
            for some in _solver_sets(oracle, lab.solvers, suspects):
                found = examine(oracle, case, ColdLab(SubsetLab(lab, some)))
                if found is not None and set(found.suspects) & set(suspects):
                    return _record(found, {solver.name: solver for solver in solvers}), answers
    return None, answers


def _solver_sets(oracle: Oracle, solvers: Sequence[str], suspects: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(solvers)] if oracle.compares_solvers else [(suspect,) for suspect in suspects]


def _record(found: Finding, solvers: dict[str, Solver]) -> FindingRecord:
    return record_of(completed(found, solvers), STRATEGY, "0", 0, 0)


def completed(found: Finding, solvers: Mapping[str, Solver]) -> Finding:
    """The finding with what each solver is given, as a fresh process gets it."""
    exchanges = tuple(solvers[exchange.request.solver].completed(exchange) for exchange in found.exchanges)
    return replace(found, exchanges=exchanges)
