"""Categories of stability with as few variants as are needed, and with all of them, on the same queries.

Both get the same variants, and each variant is run once: CPU times are those of the same runs.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from bench.command import command_parser

from falsum.audits.answers import QueryAnswer, Respondents
from falsum.audits.journal import Journal
from falsum.audits.query.queries import Query, find_queries
from falsum.audits.rows import Category, StabilityRow
from falsum.audits.stability import VARIANTS, Stability, StabilityPlan
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo


def parser() -> argparse.ArgumentParser:
    parsed = command_parser("bench.audits.stability", __doc__)
    parsed.add_argument("--solver", default="z3", metavar="S", help="solver (default z3)")
    parsed.add_argument(
        "--timeout", type=float, default=2.0, metavar="S", help="limit of CPU time for a check (default 2)"
    )
    parsed.add_argument(
        "--out", type=Path, metavar="DIR", help="directory of what solvers answered, to go on with"
    )
    parsed.add_argument("queries", nargs="+", metavar="QUERIES", help="files or directories of queries")
    return parsed


class CountingRespondents(Respondents):
    """Respondents that count the CPU time of all answers, also of remembered ones."""

    def __init__(self, journal: Journal, timeout: float) -> None:
        super().__init__(journal, timeout, memory=2048)
        self.asked_cpu = 0.0
        self.asked = 0

    def ask(self, solver: Solver, text: str, repeat: int = 0, *, lenient: bool = False) -> QueryAnswer:
        answer = super().ask(solver, text, repeat, lenient=lenient)
        self.asked_cpu += answer.cpu
        self.asked += 1
        return answer


@dataclass
class Measured:
    """The rows of some queries, and what they took."""

    rows: list[StabilityRow] = field(default_factory=list)
    runs: int = 0
    cpu: float = 0.0

    def examine(self, stability: Stability, respondents: CountingRespondents, query: Query) -> None:
        runs, cpu = respondents.asked, respondents.asked_cpu
        self.rows += stability.examine(query, query.text()).rows
        self.runs += respondents.asked - runs
        self.cpu += respondents.asked_cpu - cpu


def main() -> None:
    args = parser().parse_args()
    solver = resolve(args.solver, Zoo())
    full, few = Measured(), Measured()
    with tempfile.TemporaryDirectory() as name:
        out = args.out or Path(name)
        with Journal(out / "journal") as journal, CountingRespondents(journal, args.timeout) as respondents:
            for query in find_queries(args.queries, out / "unpacked"):
                for measured, is_adaptive in ((full, False), (few, True)):
                    plan = StabilityPlan((solver,), VARIANTS, is_adaptive)
                    measured.examine(Stability(plan, respondents), respondents, query)
                print(f"{query.name}: {few.cpu:.1f} of {full.cpu:.1f} s so far", flush=True)
    print(_report(full, few))


def _report(full: Measured, few: Measured) -> str:
    """The table of categories, and every check with another one."""
    lines = ["| | " + " | ".join(Category) + " | runs | CPU time |", "| --- " * (len(Category) + 3) + "|"]
    for name, measured in (("all variants", full), ("until clear", few)):
        counts = [sum(row.category is each for row in measured.rows) for each in Category]
        lines.append(f"| {name} | {' | '.join(map(str, counts))} | {measured.runs} | {measured.cpu:.1f} s |")
    different = [
        f"{one.query}, check {one.check}: {one.category} ({one.successes} of {one.variants}), "
        f"{other.category} ({other.successes} of {other.variants})"
        for one, other in zip(full.rows, few.rows, strict=True)
        if one.category is not other.category
    ]
    lines.append(
        f"{len(different)} of {len(full.rows)} checks differ; {few.cpu / full.cpu:.0%} of the CPU time"
    )
    return "\n".join(lines + different)


if __name__ == "__main__":
    main()
