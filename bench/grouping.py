"""Grouping: large triggers of a few different bugs, reduced, judged and grouped: as many groups as bugs?

    python -m bench.grouping KNOWN_BUGS SEEDS --out DIR [--product P] [--bugs 5] [--copies 4] [--skip N]

KNOWN_BUGS as for `bench.bisect`. The first bugs of the product (after N that are skipped) that show, each of
another cluster, are each grown several times with the assertions of different seeds that do not show the
symptom by themselves (see `bench.growing`); bugs that do not grow are left out. Every one of these triggers
goes by itself through what triage does: it is reduced, judged, bisected over the installed releases and given
its fingerprint.

DIR keeps the grown and the reduced scripts and `members.jsonl`; what is there is not done again.
"""

from __future__ import annotations

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

import click
import msgspec
from bench.bisect import Bug, read_bugs
from bench.growing import Padding, SameBug, grown, paddings, same_of

from falsum.campaign.triage.bisection import bisect
from falsum.campaign.triage.reduction import guided
from falsum.campaign.triage.release_answers import Prober
from falsum.errors import FalsumError, UsageError
from falsum.oracles.identity.fingerprint import fingerprint, parse_fingerprint
from falsum.oracles.identity.groups import Group, Member, grouped
from falsum.oracles.judge.judge import judge
from falsum.reducer import Budget, reduce
from falsum.reducer.passes import ALL
from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.lexer import decode
from falsum.smtlib.scripts import CheckSat
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.store.records import FindingRecord

_SEEDS = 100
_SEEDS_FOR_ONE = 30


@dataclass(frozen=True)
class Line:
    """One trigger, done: a line of `members.jsonl`."""

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
        known_by = parse_fingerprint(self.signature)
        assert known_by is not None
        return Member(self.name, known_by, self.length, self.span)

    def __str__(self) -> str:
        return (
            f"{self.name:28} {self.grown:6} → {self.length:5} bytes {self.tests:5} tests"
            f"  {self.signature}  [{self.span}]"
        )


class Work:
    """A run over bugs; `jury` is heard by the judge besides the suspect and the newest release."""

    def __init__(self, home: Path, out: Path, jury: tuple[str, ...], limits: Limits, seconds: float) -> None:
        self.zoo = Zoo()
        self.home, self.out, self.limits, self.seconds = home, out, limits, seconds
        self.jury = [resolve(name, self.zoo) for name in jury]
        self.file = out / "members.jsonl"
        out.mkdir(parents=True, exist_ok=True)
        lines = self.file.read_text().splitlines() if self.file.exists() else []
        self.done = {line.name: line for line in (Line(**json.loads(text)) for text in lines)}

    def lines(self, bug: Bug, pool: list[Padding], size: int, copies: int) -> list[Line]:
        """All copies of a bug; nothing if it does not show."""
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
            raise UsageError(f"grows to {len(large)} bytes only, and is left out")
        (self.out / f"{bug.id}#{copy}.grown.smt2").write_text(large)
        small, tests = self._reduced(large, same)
        (self.out / f"{bug.id}#{copy}.smt2").write_text(small)
        signature, span = self._known_by(small, same)
        line = Line(bug.id, copy, len(large), len(small), tests, signature, span)
        with self.file.open("a") as file:
            file.write(json.dumps(asdict(line)) + "\n")
        click.echo(str(line))
        return line

    def _reduced(self, text: str, same: SameBug) -> tuple[str, int]:
        record = FindingRecord("", "", (), "", "", "", "", 0, 0, "", text, (), (), None, "", None, ())
        script = read_script(text)
        with SameBug(text, same.symptom, same.suspect, same.references, self.limits) as predicate:
            passes = (*guided(predicate, record, script, text), *ALL)
            budget = Budget(seconds=self.seconds)
            result = reduce(script, predicate, passes=passes, budget=budget, confirm=predicate.cold)
        return result.text, result.tests

    def _known_by(self, text: str, same: SameBug) -> tuple[str, str]:
        """The signature, and the release it is fixed in."""
        heard: dict[str, Solver] = {s.name: s for s in (same.suspect, *same.references, *self.jury)}
        with LiveLab(heard.values(), self.limits) as lab:
            judgement = judge(text, (same.suspect.name,), lab.solvers, lab)
            known_by = fingerprint(text, judgement, lab, (same.suspect.name,))
        product = same.suspect.profile.product
        # A script made small may have fewer checks.
        symptom = msgspec.structs.replace(same.symptom, check=judgement.check)
        with Prober(product, text, symptom, self.limits, zoo=self.zoo, cache=self.out / "cache") as prober:
            found = bisect(prober, 1)
        return known_by.signature, found.fixed_in if found.spans else ""


def _shows(one: Padding, same: SameBug) -> bool:
    """Whether what a trigger shall be grown with shows the symptom by itself, and so has a bug of its own."""
    return same(print_script(Script((*one.commands, CheckSat()))))


def some_of(seeds: Path, zoo: Zoo, timeout: float) -> list[Padding]:
    """What there is to grow with: of some seeds, always the same ones."""
    files = sorted(seeds.glob("**/*.smt2"))
    chosen = Random(0).sample(files, min(_SEEDS, len(files)))
    with tempfile.TemporaryDirectory() as folder, LiveLab([resolve("z3", zoo)], Limits(timeout)) as lab:
        for number, file in enumerate(chosen):
            Path(folder, f"{number:03}.smt2").symlink_to(file.resolve())
        return paddings(Path(folder), lab)


def different_bugs(home: Path, product: str, only: tuple[str, ...]) -> Iterator[Bug]:
    """Bugs of a product that are probably different ones; or those named."""
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
        click.echo(
            f"group of {len(group.members)}: {dict(names)}; leader {group.leader.fingerprint.signature}"
        )


@click.command()
@click.argument("home", type=click.Path(exists=True, path_type=Path), metavar="KNOWN_BUGS")
@click.argument("seeds", type=click.Path(exists=True, path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--product", default="z3", show_default=True)
@click.option("--jury", multiple=True, default=("cvc5",), show_default=True, help="Also heard by the judge.")
@click.option("--bugs", default=5, show_default=True)
@click.option("--skip", default=0, show_default=True, help="So many bugs are left out first.")
@click.option("--copies", default=4, show_default=True)
@click.option("--size", default=5000, show_default=True, help="Bytes to grow to.")
@click.option("--only", multiple=True, help="These bugs and no others.")
@click.option("--timeout", default=4.0, show_default=True)
@click.option("--seconds", default=120.0, show_default=True, help="For one reduction.")
def main(
    home: Path,
    seeds: Path,
    out: Path,
    product: str,
    jury: tuple[str, ...],
    bugs: int,
    skip: int,
    copies: int,
    size: int,
    only: tuple[str, ...],
    timeout: float,
    seconds: float,
) -> None:
    """Measure grouping."""
    work = Work(home, out, jury, Limits(seconds=timeout), seconds)
    pool = some_of(seeds, work.zoo, timeout)
    lines: list[Line] = []
    done = 0
    started = time.monotonic()
    for bug in islice(different_bugs(home, product, only), skip, None):
        if done == bugs:
            break
        try:
            made = work.lines(bug, pool, size, copies)
        except FalsumError as error:
            click.echo(f"{bug.id:28} {error}")
            continue
        done += bool(made)
        lines += made
    groups = grouped([line.member for line in lines])
    shown(groups)
    pure = sum(len({member.name.partition("#")[0] for member in group.members}) == 1 for group in groups)
    click.echo(
        f"\n{len(lines)} triggers of {len({line.bug for line in lines})} bugs: {len(groups)} groups, "
        f"{pure} of them of one bug only; {time.monotonic() - started:.0f} s"
    )


if __name__ == "__main__":
    main()
