"""Our meanings against real solvers on random ground terms, operator by operator.

`python -m tests.smtlib.values.crosscheck 1000 [operator …]` runs the long version.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.smtlib.values.arithmetic_cases import integer_cases, real_cases, root_cases, set_cases
from tests.smtlib.values.asking import SOLVERS, answers, script
from tests.smtlib.values.bitvector_cases import bitvector_cases
from tests.smtlib.values.float_cases import conversion_cases, float_cases
from tests.smtlib.values.samples import FORMATS, STANDARD, Source
from tests.smtlib.values.string_cases import sequence_cases, string_cases

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.smtlib.values.claims import Operator


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A claim a solver does not share, and the smallest script that shows it."""

    operator: str
    solver: str
    claim: str
    answer: str

    @property
    def script(self) -> str:
        return script(self.solver, [self.claim])


@dataclass(slots=True)
class Report:
    """What a comparison saw; `undecided` are the claims answered neither sat nor unsat."""

    agreed: int = 0
    open_points: int = 0
    undecided: list[Disagreement] = field(default_factory=list)
    disagreements: list[Disagreement] = field(default_factory=list)


def operators() -> dict[str, Operator]:
    """Every operator that can be compared, by its name in SMT-LIB."""
    theories = (
        integer_cases, real_cases, root_cases, bitvector_cases, float_cases, conversion_cases,
        string_cases, sequence_cases, set_cases,
    )  # fmt: skip
    return {name: operator for theory in theories for name, operator in theory()}


def run(operator: str, count: int, rng_number: int = 0, solver: str | None = None) -> Report:
    """`count` random claims about one operator, for one solver or all that know it."""
    known = operators()[operator].solvers
    report = Report()
    for name in known if solver is None else (solver,):
        run_batch(name, [operator], count, rng_number, report)
    return report


def run_batch(solver: str, names: Iterable[str], count: int, rng_number: int, report: Report) -> None:
    """`count` claims about each of several operators in one solver process."""
    table = operators()
    claims: list[tuple[str, str]] = []
    for name in names:
        rng = Source(f"{name} {rng_number}", STANDARD if solver == "bitwuzla" else FORMATS)
        for _ in range(count):
            term, value = table[name].make(rng)
            if value is None:
                report.open_points += 1
            else:
                claims.append((name, f"(= {term} {value})"))
    said = answers(solver, [claim for _, claim in claims], seconds=600)
    for (name, claim), answer in zip(claims, said, strict=True):
        if answer == "unsat":
            report.agreed += 1
        else:
            listed = report.disagreements if answer == "sat" else report.undecided
            listed.append(Disagreement(name, solver, claim, answer))


def main(arguments: list[str]) -> None:
    count, names = int(arguments[0]), arguments[1:] or list(operators())
    for solver in SOLVERS:
        for name in names:
            if solver not in operators()[name].solvers:
                continue
            report = run(name, count, solver=solver)
            print(
                f"{solver:9}{name:20} agreed {report.agreed:6}  open {report.open_points:5}"
                f"  undecided {len(report.undecided):5}  disagreed {len(report.disagreements):5}",
                flush=True,
            )
            for found in (report.disagreements[:2] + report.undecided[:2])[:2]:
                print("   ", found.answer[:200], found.claim)


if __name__ == "__main__":
    main(sys.argv[1:])
