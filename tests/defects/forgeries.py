"""Solvers that forge one kind of answer, and what becomes of a finding about them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from falsum.app.report import files
from falsum.campaign.triage.job import Job
from falsum.campaign.triage.result import Triage
from falsum.campaign.triage.steps import triage
from falsum.defects.case import Case
from falsum.defects.confirmation import examine
from falsum.defects.defect import Oracle
from falsum.defects.finding import Finding
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab, LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.store import finding_folder
from falsum.store.records import record_of
from falsum.strategies.mutant import Mutant

HERE = Path(__file__).parent


def forger(forgery: str) -> str:
    """A z3 whose output is forged, as the name of a solver."""
    release = resolve("z3", Zoo()).release
    assert release is not None
    return f"/bin/sh {HERE / 'forger.sh'} {release.program} {forgery}"


@dataclass(frozen=True)
class ForgingLab:
    """A lab with one more solver, `forged`: a z3 whose answers a function changes."""

    lab: Lab
    forge: Callable[[Request, Answer], Answer]

    @property
    def solvers(self) -> tuple[str, ...]:
        return ("forged", *self.lab.solvers)

    def ask(self, request: Request) -> Answer:
        if request.solver != "forged":
            return self.lab.ask(request)
        return self.forge(request, self.lab.ask(replace(request, solver="z3")))


def found_in(oracle: Oracle, script: str, lab: Lab) -> Finding | None:
    """What an oracle finds in a script, confirmed."""
    return examine(oracle, Case(Mutant(script)), lab)


def triaged(oracle: Oracle, script: str, solvers: tuple[str, ...], parent: Path) -> tuple[Triage, str]:
    """The triage of what an oracle finds in a script, in the folder `finding`, and the report on it."""
    with LiveLab([resolve(name, Zoo()) for name in solvers], Limits(seconds=20.0)) as lab:
        found = found_in(oracle, script, lab)
    assert found is not None
    assert found.kind == oracle.name
    written = finding_folder.write(parent, record_of(found, "none", "0", 0, 0))
    folder = parent / "finding"
    shutil.move(written, folder)
    made = triage(Job(str(folder), solvers, timeout=20.0, seconds=5.0, bisects=False))
    files.write(folder)
    return made, (folder / "report.md").read_text()
