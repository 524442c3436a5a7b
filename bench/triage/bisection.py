"""Bisection of known bugs over the installed releases: whether it finds the releases that are known to be
bad.

KNOWN_BUGS has `bugs.tsv` (id, kind, config, solver, releases, fixed_in, expected, observed, trigger, …) and
the triggers. Bugs are taken evenly over the list, only those that show with default options. The releases
that the list names are compared. A release whose answer is inconclusive (unknown, time-out, another crash) is
counted separately. If all listed releases are inconclusive, the next bug is taken instead. A bug that shows
on all listed releases, not on the one with the fix, and on others as well is also counted separately. Install
the releases first: `falsum solvers add z3@4.8.6 …`.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from bench.command import command_parser
from packaging.version import Version

from falsum.campaign.triage.bisection import Bisection, bisect, sentence
from falsum.campaign.triage.releases import ScriptReleases, usable_releases
from falsum.defects.case import Case
from falsum.defects.evidence.judgement import WRONG_VERDICTS, Defect
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver
from falsum.solvers.versions import UNKNOWN, parse_version
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Mutant

_PRODUCTS = {"z3": "z3", "cvc4/cvc5": "cvc5"}
_SYSTEM_ONLY = {"1.8"}  # cvc4, another product


def _order(release: str) -> Version:
    """The version; cvc4 1.8 is older than all of cvc5."""
    return UNKNOWN if release in _SYSTEM_ONLY else parse_version(release)


@dataclass(frozen=True)
class Bug:
    id: str
    kind: str
    product: str
    spans: tuple[tuple[str, str], ...]
    fixed_in: str
    expected: str
    observed: str
    trigger: Path

    def is_bad(self, release: str) -> bool:
        return any(_order(low) <= _order(release) <= _order(high) for low, high in self.spans)

    @property
    def target(self) -> Target | None:
        if self.kind.endswith("-soundness"):
            pairs = list(zip(self.expected.split(","), self.observed.split(","), strict=False))
            for check, (right, wrong) in enumerate(pairs):
                if {right, wrong} == {"sat", "unsat"}:
                    return Target(str(WRONG_VERDICTS[Verdict(right)]), check=check, truth=Verdict(right))
            return None
        if self.kind == "invalid-model":
            return Target(Defect.INVALID_MODEL, want=Want.MODEL)
        return Target(Defect.CRASH) if self.kind == "crash" else None


def read_bugs(home: Path) -> tuple[list[Bug], dict[str, set[str]]]:
    """The bugs, and for each product the releases that the list names."""
    bugs, named = [], {product: set[str]() for product in _PRODUCTS.values()}
    with (home / "bugs.tsv").open(newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            product = _PRODUCTS.get(row["solver"])
            if product is None:
                continue
            spans = []
            for span in row["releases"].split(", "):
                low, _, high = span.partition("..")
                spans.append((low, high or low))
            named[product].update(release for span in spans for release in span)
            fixed = row["fixed_in"].partition("-")[2]
            if parse_version(fixed) is not UNKNOWN:
                named[product].add(fixed)
            if row["config"] == "default" and row["tier"] == "1":
                bug = Bug(
                    row["id"], row["kind"], product, tuple(spans), fixed, row["expected"], row["observed"],
                    home / row["trigger"],
                )  # fmt: skip
                if bug.target is not None and spans != [("1.8", "1.8")] and not _asks_options(bug.trigger):
                    bugs.append(bug)
    return bugs, {product: releases - _SYSTEM_ONLY for product, releases in named.items()}


def _asks_options(trigger: Path) -> bool:
    """Whether a trigger names options in a comment, as regression tests do."""
    return "COMMAND-LINE:" in trigger.read_text(errors="surrogateescape")


def run(bug: Bug, jobs: int, cache: Path) -> Bisection:
    target = bug.target
    assert target is not None
    text = bug.trigger.read_text(errors="surrogateescape")
    limits = Limits(seconds=10.0)
    if target.defect == Defect.CRASH:
        target = Target(Defect.CRASH, message=_message(bug, text, limits))
    with ScriptReleases(bug.product, Case(Mutant(text)), target.on(text), limits, cache=cache) as asked:
        return bisect(asked, jobs)


def _message(bug: Bug, text: str, limits: Limits) -> str:
    """How the newest release crashes that should crash: the list does not have the message."""
    profile = BY_PRODUCT[bug.product]
    for release in reversed(usable_releases(Zoo(), profile)):
        if bug.is_bad(release.version):
            with LiveLab((Solver(release.name, profile, release),), limits) as lab:
                answer = lab.ask(Request(release.name, text, cold=True))
            if answer.crashed:
                return answer.ending.message
    return ""


@dataclass(frozen=True)
class Compared:
    """`wrong` are releases that differ from the list, `more` those of them that are bad."""

    wrong: list[str]
    more: list[str]
    left_open: list[str]
    count: int
    shows: bool

    @property
    def word(self) -> str:
        if not self.shows and not self.wrong:
            return "OPEN"
        if self.wrong or not self.shows:
            return "MORE" if self.shows and self.wrong == self.more else "NOT"
        return "ok"


def compared(bug: Bug, found: Bisection, named: set[str]) -> Compared:
    wrong, more, left_open, count = [], [], [], 0
    for row in found.rows:
        if row.release not in named:
            continue
        count += 1
        shown = f"{row.release} {row.standing} ({row.said})"
        if row.standing.decided or row.standing is Standing.CRASHES:
            if (row.standing is not Standing.GOOD) is not bug.is_bad(row.release):
                wrong.append(shown)
                if row.standing is Standing.BAD and row.release != bug.fixed_in:
                    more.append(shown)
        elif bug.is_bad(row.release):
            left_open.append(shown)
    return Compared(wrong, more, left_open, count, bool(found.spans))


def report(bug: Bug, found: Bisection, result: Compared, *, show: bool) -> None:
    known = ", ".join(f"{low}..{high}" if low != high else low for low, high in bug.spans)
    print(f"{result.word:4} {bug.id} {bug.kind} {bug.product}")
    print(f"    listed {known}, fixed in {bug.fixed_in}; found: {sentence(found)}")
    print(
        f"    {result.count} releases compared; different: {result.wrong or 'none'}; "
        f"inconclusive: {result.left_open or 'none'}"
    )
    for row in found.rows if show else ():
        print(f"      {row.release:16} {row.standing:18} {row.said}")


def in_order(bugs: list[Bug], count: int) -> list[Bug]:
    """All bugs: first `count` of them evenly over the list, then those that follow each of these."""
    chosen = [index * len(bugs) // count for index in range(min(count, len(bugs)))]
    rest = [index + step for step in range(1, len(bugs)) for index in chosen if index + step < len(bugs)]
    return [bugs[index] for index in dict.fromkeys((*chosen, *rest))]


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.triage.bisection", __doc__)
    made.add_argument("known_bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    made.add_argument("--count", type=int, default=10, metavar="N", help="number of bugs (default 10)")
    made.add_argument("--product", action="append", metavar="P", help="default: z3 and cvc5")
    made.add_argument("--only", action="append", default=[], metavar="ID", help="only this bug")
    made.add_argument("--jobs", type=int, default=2, metavar="N", help="releases at a time (default 2)")
    made.add_argument("--show", action="store_true", help="print the table of every bug")
    return made


def main() -> None:
    args = parser().parse_args()
    count, only, products = args.count, args.only, args.product or ["z3", "cvc5"]
    bugs, named = read_bugs(args.known_bugs)
    fitting = [bug for bug in bugs if bug.id in only or (not only and bug.product in products)]
    words: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as cache:
        for bug in fitting if only else in_order(fitting, count):
            if words.total() - words["OPEN"] >= count:
                break
            found = run(bug, args.jobs, Path(cache))
            result = compared(bug, found, named[bug.product])
            words[result.word] += 1
            report(bug, found, result, show=args.show)
    print(
        f"{words['ok']} of {words.total() - words['OPEN']} bugs have the listed releases; "
        f"{words['MORE']} show on more than these; "
        f"{words['NOT']} different; {words['OPEN']} could not be compared"
    )


if __name__ == "__main__":
    main()
