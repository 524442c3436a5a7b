"""Grouping of known bugs: large triggers of a few bugs, reduced, judged, bisected and grouped; ideally a
group per bug.

KNOWN_BUGS is as in `bench.triage.bisection`. The first bugs of the product that show, each of another
cluster, are grown several times with the assertions of different SEEDS that do not show the bug by
themselves (`bench.reduction.script_growth`); bugs that do not grow are left out. Each of these triggers goes
through triage by itself. DIR keeps the grown and the reduced scripts and `members.jsonl`; what is there is
not repeated.
"""

from __future__ import annotations

import argparse
import csv
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from random import Random

import msgspec
from bench.command import command_parser
from bench.reduction.script_growth import Padding, SameBug, grown, paddings, same_of
from bench.triage.bisection import Bug, read_bugs

from falsum.campaign.triage.bisection import bisect
from falsum.campaign.triage.reduction import guided_passes
from falsum.campaign.triage.releases import ScriptReleases
from falsum.defects.case import Case
from falsum.defects.identity.fingerprint import fingerprint, parse_fingerprint
from falsum.defects.identity.groups import Group, Member, grouped
from falsum.defects.judge import judge
from falsum.errors import FalsumError, UsageError
from falsum.reducer import Budget, reduce
from falsum.reducer.passes import ALL
from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.scripts import CheckSat
from falsum.smtlib.text.lexer import decode
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.store.records import FindingRecord
from falsum.strategies.mutant import Mutant

_SEEDS = 100
_SEEDS_FOR_ONE = 30


@dataclass(frozen=True)
class Line:
    """The result for one trigger: a line of `members.jsonl`."""

    bug: str
    copy: int
    grown: int
    length: int
    tests: int
    signature: str
    span: str

    @property
    def name(self) -> str:
        return f"{self.bug}#{self.copy}"

    @property
    def member(self) -> Member:
        identity = parse_fingerprint(self.signature)
        assert identity is not None
        return Member(self.name, identity, self.length, self.span)

    def __str__(self) -> str:
        return (
            f"{self.name:28} {self.grown:6} → {self.length:5} bytes {self.tests:5} tests"
            f"  {self.signature}  [{self.span}]"
        )


class Work:
    """A run over bugs; `jury` are the judge's solvers besides the suspect and the newest release."""

    def __init__(self, home: Path, out: Path, jury: tuple[str, ...], limits: Limits, seconds: float) -> None:
        self.zoo = Zoo()
        self.home, self.out, self.limits, self.seconds = home, out, limits, seconds
        self.jury = [resolve(name, self.zoo) for name in jury]
        self.file = out / "members.jsonl"
        out.mkdir(parents=True, exist_ok=True)
        lines = self.file.read_text().splitlines() if self.file.exists() else []
        self.done = {line.name: line for line in (Line(**json.loads(text)) for text in lines)}

    def lines(self, bug: Bug, pool: list[Padding], size: int, copies: int) -> list[Line]:
        """The results for all copies of a bug; none if it does not show."""
        names = [f"{bug.id}#{copy}" for copy in range(copies)]
        if all(name in self.done for name in names):
            return [self.done[name] for name in names]
        text = decode(bug.trigger.read_bytes())
        same = same_of(bug, text, self.zoo, self.limits)
        if same is None:
            return []
        with same:
            return [
                self.done.get(name) or self._line(bug, copy, text, same, pool, size)
                for copy, name in enumerate(names)
            ]

    def _line(self, bug: Bug, copy: int, text: str, same: SameBug, pool: list[Padding], size: int) -> Line:
        drawn = Random(f"{bug.id} {copy}").sample(pool, min(_SEEDS_FOR_ONE, len(pool)))
        large = grown(text, same, [one for one in drawn if not _shows(one, same)], size)
        if len(large) < size / 2:
            raise UsageError(f"left out: grows only to {len(large)} bytes")
        (self.out / f"{bug.id}#{copy}.grown.smt2").write_text(large)
        small, tests = self._reduced(large, same)
        (self.out / f"{bug.id}#{copy}.smt2").write_text(small)
        signature, span = self._identity(small, same)
        line = Line(bug.id, copy, len(large), len(small), tests, signature, span)
        with self.file.open("a") as file:
            file.write(json.dumps(asdict(line)) + "\n")
        print(str(line))
        return line

    def _reduced(self, text: str, same: SameBug) -> tuple[str, int]:
        record = FindingRecord("", "", (), "", "", "", "", 0, 0, "", text, (), (), None, "", None, ())
        script = read_script(text)
        with SameBug(text, same.target, same.suspect, same.references, self.limits) as predicate:
            passes = (*guided_passes(predicate, record, script, text), *ALL)
            budget = Budget(seconds=self.seconds)
            result = reduce(script, predicate, passes=passes, budget=budget, confirm=predicate.cold)
        return result.text, result.tests

    def _identity(self, text: str, same: SameBug) -> tuple[str, str]:
        """The signature, and the release it is fixed in."""
        solvers: dict[str, Solver] = {s.name: s for s in (same.suspect, *same.references, *self.jury)}
        with LiveLab(solvers.values(), self.limits) as lab:
            judgement = judge(text, (same.suspect.name,), lab.solvers, lab)
            identity = fingerprint(text, judgement, lab, (same.suspect.name,))
        product = same.suspect.profile.product
        # A reduced script may have fewer checks.
        target = msgspec.structs.replace(same.target.on(text), check=judgement.check)
        cache = self.out / "cache"
        with ScriptReleases(
            product, Case(Mutant(text)), target, self.limits, zoo=self.zoo, cache=cache
        ) as asked:
            found = bisect(asked, 1)
        return identity.signature, found.fixed_in if found.spans else ""


def _shows(one: Padding, same: SameBug) -> bool:
    """Whether a seed shows the bug by itself, so that a trigger must not be grown with it."""
    return same(print_script(Script((*one.commands, CheckSat()))))


def some_paddings(seeds: Path, zoo: Zoo, timeout: float) -> list[Padding]:
    """The paddings of some seeds, always the same ones."""
    files = sorted(seeds.glob("**/*.smt2"))
    chosen = Random(0).sample(files, min(_SEEDS, len(files)))
    with tempfile.TemporaryDirectory() as folder, LiveLab([resolve("z3", zoo)], Limits(timeout)) as lab:
        for number, file in enumerate(chosen):
            Path(folder, f"{number:03}.smt2").symlink_to(file.resolve())
        return paddings(Path(folder), lab)


def different_bugs(home: Path, product: str, only: list[str]) -> Iterator[Bug]:
    """Bugs of a product in different clusters, or the named ones."""
    with (home / "bugs.tsv").open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        clusters = {row["id"]: row["cluster"] for row in rows}
    seen: set[str] = set()
    for bug in read_bugs(home)[0]:
        fits = bug.product == product and bug.kind != "invalid-model" and clusters[bug.id] not in seen
        if bug.id in only or (fits and not only):
            seen.add(clusters[bug.id])
            yield bug


def shown(groups: tuple[Group, ...]) -> None:
    for group in groups:
        names = Counter(member.name.partition("#")[0] for member in group.members)
        print(f"group of {len(group.members)}: {dict(names)}; leader {group.leader.fingerprint.signature}")


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.triage.grouping", __doc__)
    made.add_argument("known_bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    made.add_argument("seeds", type=Path, metavar="SEEDS", help="directory of .smt2 scripts")
    made.add_argument("--out", type=Path, required=True, metavar="DIR", help="keep scripts and results here")
    made.add_argument("--product", default="z3", metavar="P", help="default: z3")
    made.add_argument(
        "--jury", action="append", metavar="S", help="additional solver of the judge (default: cvc5)"
    )
    made.add_argument("--bugs", type=int, default=5, metavar="N", help="number of bugs (default 5)")
    made.add_argument("--skip", type=int, default=0, metavar="N", help="skip the first N bugs")
    made.add_argument("--copies", type=int, default=4, metavar="N", help="triggers per bug (default 4)")
    made.add_argument(
        "--size", type=int, default=5000, metavar="BYTES", help="size to grow to (default 5,000)"
    )
    made.add_argument("--only", action="append", default=[], metavar="ID", help="only this bug")
    made.add_argument(
        "--timeout", type=float, default=4.0, metavar="S", help="limit of a solver call (default 4)"
    )
    made.add_argument(
        "--seconds", type=float, default=120.0, metavar="S", help="limit of a reduction (default 120)"
    )
    return made


def main() -> None:
    args = parser().parse_args()
    limits, jury = Limits(seconds=args.timeout), tuple(args.jury or ("cvc5",))
    work = Work(args.known_bugs, args.out, jury, limits, args.seconds)
    pool = some_paddings(args.seeds, work.zoo, args.timeout)
    lines: list[Line] = []
    done = 0
    start = time.monotonic()
    for bug in islice(different_bugs(args.known_bugs, args.product, args.only), args.skip, None):
        if done == args.bugs:
            break
        try:
            made = work.lines(bug, pool, args.size, args.copies)
        except FalsumError as error:
            print(f"{bug.id:28} {error}")
            continue
        done += bool(made)
        lines += made
    groups = grouped([line.member for line in lines])
    shown(groups)
    pure = sum(len({member.name.partition("#")[0] for member in group.members}) == 1 for group in groups)
    print(
        f"\n{len(lines)} triggers of {len({line.bug for line in lines})} bugs: {len(groups)} groups, "
        f"{pure} of them of one bug only; {time.monotonic() - start:.0f} s"
    )


if __name__ == "__main__":
    main()
