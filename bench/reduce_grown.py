"""Reduction of known triggers grown back to 5 to 30 kB: our reducer with warm solvers against ddSMT.

    python -m bench.reduce_grown KNOWN_BUGS SEEDS --out DIR [--count N] [--skip N] [--ddsmt PROGRAM]

KNOWN_BUGS as for `bench.bisect`; soundness bugs and crashes that show with default options on an installed
release, kinds and products in turn. Each trigger is grown (see `bench.growing`), every second one folded into
a single assertion. Both reducers get the same file and one core. ddSMT runs the buggy release and, for
soundness, the newest one as its cross check, with its own time limits for a test and `--limit` CPU seconds
for all; where it is cut there, its best so far counts, and it is said. Totals are given for all triggers and
for those on which ddSMT came to its end. CPU includes every process started, of ours also the confirmation
in fresh processes. Where a product comes as a library (most of cvc5), its cold command, which ddSMT runs,
starts an interpreter. Readers are falsum's, z3's and cvc5's: a result must be taken by those that took the
grown script, and by two.

DIR keeps the grown scripts, the results and `runs.jsonl`, one line a run, the last one for a trigger and a
reducer counts: what is there is not done again (`--again` measures ours anew), so it can be run in pieces.
`--summary` prints the table and totals of what is there.
"""

from __future__ import annotations

import json
import statistics
import time
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path

import click
from bench.bisect import Bug, read_bugs
from bench.growing import LARGEST, SMALLEST, Padding, SameBug, folded, grown, paddings, same_of
from bench.reducing import READERS, about, accepted, is_plain, with_ddsmt, with_falsum

from falsum.errors import ScriptError, UsageError
from falsum.smtlib import print_script, read_script
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

# Of the wall: generous, for busy machines; a smaller script may take about as long as the last one that held.
_TIMEOUT = 20.0
_OURS, _THEIRS = "falsum", "ddSMT"
_SIZES = 20


@dataclass(frozen=True)
class Run:
    """A line of `runs.jsonl`. `is_whole`: it ended by itself; `missing`: readers that do not take it."""

    bug: str
    kind: str
    suspect: str
    reducer: str
    grown: int
    length: int
    tests: int
    cpu: float
    seconds: float
    is_whole: bool
    shows: bool
    readers: list[str]
    missing: list[str]

    def __str__(self) -> str:
        notes = [] if self.is_whole else ["cut"]
        notes += [] if self.shows else ["DOES NOT SHOW IT"]
        notes += [f"NOT TAKEN BY {' '.join(self.missing)}"] if self.missing else []
        tests = f"{self.tests:5} tests" if self.tests else " " * 11
        return (
            f"{self.bug:24} {self.kind:20} {self.suspect:14} {self.grown:6} → {self.reducer:6}"
            f" {self.length:6} bytes {tests} {self.cpu:7.2f} s CPU {self.seconds:6.1f} s  {', '.join(notes)}"
        ).rstrip()


class Ledger:
    """The runs in a directory; what did not grow is noted as well."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "runs.jsonl"
        self.runs: dict[tuple[str, str], Run] = {}
        self.left_out: dict[str, str] = {}
        self.read()

    def read(self) -> None:
        """What is there now: another piece may be running."""
        lines = self.file.read_text().splitlines() if self.file.exists() else []
        for line in map(json.loads, lines):
            if "why" in line:
                self.left_out[line["bug"]] = line["why"]
            else:
                self.runs[line["bug"], line["reducer"]] = Run(**line)

    def leave_out(self, bug: Bug, why: str) -> None:
        self.left_out[bug.id] = why
        click.echo(f"{bug.id}: {why}", err=True)
        self._write({"bug": bug.id, "why": why})

    def add(self, run: Run) -> None:
        self.runs[run.bug, run.reducer] = run
        click.echo(str(run))
        self._write(asdict(run))

    def _write(self, line: dict[str, object]) -> None:
        with self.file.open("a") as out:
            out.write(json.dumps(line) + "\n")


def in_turn(bugs: list[Bug]) -> list[Bug]:
    """Kinds and products in turn; within each, bugs of names far apart first."""
    kinds: dict[tuple[str, str], list[Bug]] = {}
    for bug in sorted(bugs, key=lambda bug: (int.from_bytes(bug.id.encode()[-3:], "big") % 97, bug.id)):
        kinds.setdefault((bug.kind, bug.product), []).append(bug)
    rows = zip_longest(*(kinds[key] for key in sorted(kinds)))
    return [bug for row in rows for bug in row if bug is not None]


class Bench:
    """Grows, reduces, compares, one bug after the other."""

    def __init__(self, ledger: Ledger, lab: LiveLab, zoo: Zoo, seeds: Path) -> None:
        self.ledger = ledger
        self.lab = lab
        self.zoo = zoo
        self.seeds = seeds
        self._pool: list[Padding] = []

    def large(self, bug: Bug, same: SameBug, text: str, number: int) -> str | None:
        """The grown script, from the directory if it is there."""
        file = self.ledger.folder / f"{bug.id}.grown.smt2"
        if not file.exists():
            self._pool = self._pool or paddings(self.seeds, self.lab)
            size = SMALLEST + (LARGEST - SMALLEST) * (number * 7 % _SIZES) // _SIZES
            large = grown(text, same, self._pool, size)
            if number % 2 and same(flat := folded(large)):
                large = flat
            if len(large) < SMALLEST:
                self.ledger.leave_out(bug, f"does not grow beyond {len(large)} bytes")
                return None
            if bug.product not in accepted(large, self.lab):
                self.ledger.leave_out(bug, "its own newest release does not read it")
                return None
            file.write_text(large)
        large = file.read_text()
        if not is_plain(large, same):
            self.ledger.leave_out(bug, "shows only in two dialects")
            return None
        return large

    def run(self, bug: Bug, number: int, reducers: list[str], ddsmt: str, limit: float) -> bool:
        """Whether the bug could be measured."""
        try:
            text = print_script(read_script(bug.trigger.read_text(errors="surrogateescape")))
        except ScriptError as error:
            self.ledger.leave_out(bug, f"not read: {error}")
            return False
        same = same_of(bug, text, self.zoo, Limits(seconds=_TIMEOUT))
        if same is None:
            self.ledger.leave_out(bug, "does not show on an installed release")
            return False
        with same:
            large = self.large(bug, same, text, number)
            if large is None:
                return False
        try:
            with about(large, same) as again:
                for reducer in reducers:
                    self._measure(bug, large, again, reducer, ddsmt, limit)
        except UsageError as error:
            self.ledger.leave_out(bug, f"grown: {error}")
            return False
        return True

    def _measure(self, bug: Bug, large: str, same: SameBug, reducer: str, ddsmt: str, limit: float) -> None:
        before, started = accepted(large, self.lab), time.monotonic()
        made = with_falsum(large, same) if reducer == _OURS else with_ddsmt(ddsmt, large, same, limit)
        seconds = time.monotonic() - started
        readers = accepted(made[0], self.lab)
        (self.ledger.folder / f"{bug.id}.{reducer}.smt2").write_text(made[0])
        run = Run(
            bug.id, bug.kind, same.suspect.name, reducer, len(large), len(made[0]), made[1],
            round(made[2], 3), round(seconds, 1), made[3], same.cold(made[0]), sorted(readers),
            sorted(before - readers),
        )  # fmt: skip
        self.ledger.add(run)


def summary(ledger: Ledger, bugs: list[str]) -> None:
    """The table, and totals."""
    ours = {bug: run for bug in bugs if (run := ledger.runs.get((bug, _OURS)))}
    theirs = {bug: run for bug in bugs if (run := ledger.runs.get((bug, _THEIRS)))}
    for bug in bugs:
        for one in (ours.get(bug), theirs.get(bug)):
            if one is not None:
                click.echo(str(one))
    for label, runs in ((_OURS, ours), (_THEIRS, theirs)):
        if runs:
            refused = sum(bool(run.missing) or len(run.readers) < 2 for run in runs.values())
            click.echo(
                f"{label:7} {len(runs)} triggers: {_mean(runs):.0f} bytes on average, {_cpu(runs):.1f} s CPU,"
                f" {sum(not run.is_whole for run in runs.values())} cut, {refused} not taken by the readers,"
                f" {sum(not run.shows for run in runs.values())} do not show it"
            )
    both = [bug for bug in ours if bug in theirs]
    for label, some in (("all", both), ("ddSMT at its end", [bug for bug in both if theirs[bug].is_whole])):
        if some:
            mine, other = {bug: ours[bug] for bug in some}, {bug: theirs[bug] for bug in some}
            ratios = [other[bug].cpu / max(0.01, mine[bug].cpu) for bug in some]
            click.echo(
                f"{label} ({len(some)}): falsum {_mean(mine):.0f} bytes {_cpu(mine):.1f} s CPU,"
                f" ddSMT {_mean(other):.0f} bytes {_cpu(other):.1f} s CPU;"
                f" size {_mean(mine) / _mean(other):.2f} of ddSMT's,"
                f" ddSMT takes {_cpu(other) / _cpu(mine):.1f} times the CPU in sum,"
                f" {statistics.median(ratios):.1f} in the median"
            )


def _mean(runs: dict[str, Run]) -> float:
    return statistics.mean(run.length for run in runs.values())


def _cpu(runs: dict[str, Run]) -> float:
    return sum(run.cpu for run in runs.values())


@click.command()
@click.argument("home", type=click.Path(exists=True, path_type=Path), metavar="KNOWN_BUGS")
@click.argument("seeds", type=click.Path(exists=True, path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Keep scripts and runs here.")
@click.option("--count", default=20, show_default=True, help="How many triggers in all.")
@click.option("--skip", default=0, help="Of these, leave so many at the start alone now.")
@click.option("--ddsmt", default="", help="The program ddsmt; without it only falsum is measured.")
@click.option("--limit", default=300.0, show_default=True, help="CPU seconds ddSMT may take for one script.")
@click.option("--again", is_flag=True, help="Measure ours anew.")
@click.option("--theirs-only", is_flag=True, help="Measure ddSMT only.")
@click.option("--summary", "only_summary", is_flag=True, help="Measure nothing.")
def main(
    home: Path,
    seeds: Path,
    out: Path,
    count: int,
    skip: int,
    ddsmt: str,
    limit: float,
    *,
    again: bool,
    theirs_only: bool,
    only_summary: bool,
) -> None:
    """Grow, reduce, compare."""
    bugs = in_turn([bug for bug in read_bugs(home)[0] if bug.kind != "invalid-model"])
    zoo, ledger = Zoo(), Ledger(out)
    wanted = ([] if theirs_only else [_OURS]) + ([_THEIRS] if ddsmt else [])
    taken: list[str] = []
    with LiveLab([resolve(name, zoo) for name in READERS], Limits(seconds=_TIMEOUT)) as lab:
        bench = Bench(ledger, lab, zoo, seeds)
        for number, bug in enumerate(bugs):
            if len(taken) >= count:
                break
            ledger.read()
            if bug.id in ledger.left_out:
                continue
            todo = [r for r in wanted if (bug.id, r) not in ledger.runs or (again and r == _OURS)]
            done = only_summary or len(taken) < skip or not todo
            if done or bench.run(bug, number, todo, ddsmt, limit):
                taken.append(bug.id)
    summary(ledger, taken)


if __name__ == "__main__":
    main()
