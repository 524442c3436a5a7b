"""Reduction of known triggers that were grown to 5 to 30 kB: falsum with warm solvers in comparison with
ddSMT.

KNOWN_BUGS is as in `bench.triage.bisection`; soundness bugs and crashes are taken that show with default
options on an installed release, alternating kinds and products. Each trigger is grown with assertions of
SEEDS (`bench.reduction.script_growth`); every second one is folded into a single assertion. Both reducers get
the same file and one core. ddSMT runs the buggy release and, for soundness, the newest one as its cross
check, with its own time limits per test and `--limit` CPU seconds in total; if it reaches the limit, its best
result so far counts. Totals are given for all triggers and for those on which ddSMT finished. CPU time
includes every process, for falsum also the confirmation in fresh processes. A result must be accepted by
those of the readers (falsum, z3, cvc5) that accept the grown script, and by two of them.

DIR keeps the grown scripts, the results and `runs.jsonl`; what is there is not repeated, so a run can be
split.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path

from bench.command import command_parser
from bench.reduction.reducers import READERS, about, accepted, is_plain, with_ddsmt, with_falsum
from bench.reduction.script_growth import (
    LARGEST,
    SMALLEST,
    Padding,
    SameBug,
    folded,
    grown,
    paddings,
    same_of,
)
from bench.triage.bisection import Bug, read_bugs

from falsum.errors import ScriptError, UsageError
from falsum.smtlib import print_script, read_script
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

# Seconds of elapsed time: generous, for busy machines.
_TIMEOUT = 20.0
_OURS, _THEIRS = "falsum", "ddSMT"
_SIZES = 20


@dataclass(frozen=True)
class Run:
    """A line of `runs.jsonl`. `is_whole`: it finished; `missing`: readers that reject its result."""

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
        notes = [] if self.is_whole else ["cut off"]
        notes += [] if self.shows else ["DOES NOT SHOW THE BUG"]
        notes += [f"NOT ACCEPTED BY {' '.join(self.missing)}"] if self.missing else []
        tests = f"{self.tests:5} tests" if self.tests else " " * 11
        return (
            f"{self.bug:24} {self.kind:20} {self.suspect:14} {self.grown:6} → {self.reducer:6}"
            f" {self.length:6} bytes {tests} {self.cpu:7.2f} s CPU {self.seconds:6.1f} s  {', '.join(notes)}"
        ).rstrip()


class Ledger:
    """The runs in a directory, and the bugs that were left out with reasons."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "runs.jsonl"
        self.runs: dict[tuple[str, str], Run] = {}
        self.left_out: dict[str, str] = {}
        self.read()

    def read(self) -> None:
        """Read the file again: another process may have added to it."""
        lines = self.file.read_text().splitlines() if self.file.exists() else []
        for line in map(json.loads, lines):
            if "why" in line:
                self.left_out[line["bug"]] = line["why"]
            else:
                self.runs[line["bug"], line["reducer"]] = Run(**line)

    def leave_out(self, bug: Bug, why: str) -> None:
        self.left_out[bug.id] = why
        print(f"{bug.id}: {why}", file=sys.stderr)
        self._write({"bug": bug.id, "why": why})

    def add(self, run: Run) -> None:
        self.runs[run.bug, run.reducer] = run
        print(str(run))
        self._write(asdict(run))

    def _write(self, line: dict[str, object]) -> None:
        with self.file.open("a") as out:
            out.write(json.dumps(line) + "\n")


def in_turn(bugs: list[Bug]) -> list[Bug]:
    """Bugs with alternating kinds and products."""
    kinds: dict[tuple[str, str], list[Bug]] = {}
    for bug in sorted(bugs, key=lambda bug: (int.from_bytes(bug.id.encode()[-3:], "big") % 97, bug.id)):
        kinds.setdefault((bug.kind, bug.product), []).append(bug)
    rows = zip_longest(*(kinds[key] for key in sorted(kinds)))
    return [bug for row in rows for bug in row if bug is not None]


class Comparison:
    """Grows and reduces the triggers of one bug after the other."""

    def __init__(self, ledger: Ledger, lab: LiveLab, zoo: Zoo, seeds: Path) -> None:
        self.ledger = ledger
        self.lab = lab
        self.zoo = zoo
        self.seeds = seeds
        self._pool: list[Padding] = []

    def large(self, bug: Bug, same: SameBug, text: str, number: int) -> str | None:
        """The grown script, read from the directory if it is there; None if the bug is left out."""
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
            self.ledger.leave_out(bug, "shows only if translated for each solver")
            return None
        return large

    def run(self, bug: Bug, number: int, reducers: list[str], ddsmt: str, limit: float) -> bool:
        """Measure a bug; False if it is left out."""
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
    """Print the table and the totals."""
    ours = {bug: run for bug in bugs if (run := ledger.runs.get((bug, _OURS)))}
    theirs = {bug: run for bug in bugs if (run := ledger.runs.get((bug, _THEIRS)))}
    for bug in bugs:
        for one in (ours.get(bug), theirs.get(bug)):
            if one is not None:
                print(str(one))
    for label, runs in ((_OURS, ours), (_THEIRS, theirs)):
        if runs:
            refused = sum(bool(run.missing) or len(run.readers) < 2 for run in runs.values())
            print(
                f"{label:7} {len(runs)} triggers: {_mean(runs):.0f} bytes on average, {_cpu(runs):.1f} s CPU,"
                f" {sum(not run.is_whole for run in runs.values())} cut off, {refused} rejected by readers,"
                f" {sum(not run.shows for run in runs.values())} do not show the bug"
            )
    both = [bug for bug in ours if bug in theirs]
    for label, some in (
        ("all", both),
        ("where ddSMT finished", [bug for bug in both if theirs[bug].is_whole]),
    ):
        if some:
            mine, other = {bug: ours[bug] for bug in some}, {bug: theirs[bug] for bug in some}
            ratios = [other[bug].cpu / max(0.01, mine[bug].cpu) for bug in some]
            print(
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


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.reduction.grown_triggers", __doc__)
    made.add_argument("known_bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    made.add_argument("seeds", type=Path, metavar="SEEDS", help="directory of .smt2 scripts")
    made.add_argument("--out", type=Path, required=True, metavar="DIR", help="keep scripts and runs here")
    made.add_argument("--count", type=int, default=20, metavar="N", help="triggers in total (default 20)")
    made.add_argument("--skip", type=int, default=0, metavar="N", help="leave out the first N of them")
    made.add_argument("--ddsmt", default="", metavar="PROGRAM", help="ddSMT (default: measure only falsum)")
    made.add_argument(
        "--limit", type=float, default=300.0, metavar="S", help="CPU seconds of ddSMT (default 300)"
    )
    made.add_argument("--again", action="store_true", help="measure falsum again")
    made.add_argument("--theirs-only", action="store_true", help="measure only ddSMT")
    made.add_argument("--summary", action="store_true", help="print the table without measuring")
    return made


def main() -> None:
    args = parser().parse_args()
    bugs = in_turn([bug for bug in read_bugs(args.known_bugs)[0] if bug.kind != "invalid-model"])
    zoo, ledger = Zoo(), Ledger(args.out)
    wanted = ([] if args.theirs_only else [_OURS]) + ([_THEIRS] if args.ddsmt else [])
    taken: list[str] = []
    with LiveLab([resolve(name, zoo) for name in READERS], Limits(seconds=_TIMEOUT)) as lab:
        comparison = Comparison(ledger, lab, zoo, args.seeds)
        for number, bug in enumerate(bugs):
            if len(taken) >= args.count:
                break
            ledger.read()
            if bug.id in ledger.left_out:
                continue
            todo = [r for r in wanted if (bug.id, r) not in ledger.runs or (args.again and r == _OURS)]
            done = args.summary or len(taken) < args.skip or not todo
            if done or comparison.run(bug, number, todo, args.ddsmt, args.limit):
                taken.append(bug.id)
    summary(ledger, taken)


if __name__ == "__main__":
    main()
