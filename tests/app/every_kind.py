"""A plug-in file with one member of every kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from falsum.api import bindings
from falsum.api.bindings import BindingFile
from falsum.app.report.parts import ReportParts
from falsum.app.report.trackers import Tracker
from falsum.defects import Oracle
from falsum.defects.case import Case
from falsum.defects.evidence.judgement import Defect
from falsum.defects.finding import Finding
from falsum.defects.table import kind_named
from falsum.reducer.edits import Edit
from falsum.reducer.outline import Outline
from falsum.solvers import hosts
from falsum.solvers.lab import Lab
from falsum.solvers.profiles import BY_PRODUCT, GENERIC
from falsum.solvers.request import Request
from falsum.strategies import Mutant, Seed

TWICE = "(check-sat)\n(check-sat)"


@dataclass(frozen=True)
class CheckTwice:
    """Checks once more."""

    name: str = "check-twice"
    arity: int = 1

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del lab
        for _ in range(5):
            comment = f"(set-info :number {rng.randrange(10**6)})\n"
            yield Mutant(comment + seeds[0].text.replace("(check-sat)", TWICE), lineage=("check-twice",))


class Impatient(Oracle):
    """Holds it against a solver to answer twice."""

    name = "impatient"
    defect = kind_named(Defect.REFUTATION_UNSOUNDNESS)

    def find(self, case: Case, lab: Lab) -> Finding | None:
        for solver in lab.solvers:
            answer = lab.ask(Request(solver, case.text, case.want))
            if len(answer.verdicts) == 2:
                return Finding(self.name, (solver,), "impatient", "it answered twice", case)
        return None


class ProposeNothing:
    """A pass without any edits."""

    name = "propose-nothing"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        del outline
        return iter(())


def report(parts: ReportParts) -> str:
    return f"Dear developers, {parts.expected}\n"


STRATEGIES = [CheckTwice]
ORACLES = [Impatient()]
PASSES = [ProposeNothing()]
PROFILES = [
    replace(GENERIC, product="always-true", programs=("true",)),
    replace(
        BY_PRODUCT["bitwuzla"],
        product="second-bitwuzla",
        library=str(Path(hosts.__file__).with_name("bitwuzla.py")),
    ),
]
BINDINGS = [BindingFile("second-bitwuzla", bindings.BY_PRODUCT["bitwuzla"].file)]
TRACKERS = [Tracker("letter", report)]
