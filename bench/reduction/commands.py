"""Reduction in comparison with ddSMT with any command as predicate: bytes left, tests, CPU time, whether
well-sorted.

CASES has a line `id file words…` per case (files relative to CASES, `#` starts a comment). PREDICATE is a
Python program that is called as `PREDICATE words… FILE`; its exit status must stay the same. Both reducers
run as programs, one test at a time, and a wrapper around the predicate counts the tests.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.command import command_parser

from falsum.errors import ScriptError
from falsum.smtlib import read_script

_COUNTER = 'echo >> "$FALSUM_TESTS"; exec "$@"'


@dataclass(frozen=True)
class Run:
    """The result of one reducer for one case."""

    length: int
    tests: int
    cpu: float
    well_sorted: bool
    text: str

    def __str__(self) -> str:
        sorted_ = "" if self.well_sorted else "  ILL-SORTED"
        return f"{self.length:6} bytes {self.tests:6} tests {self.cpu:7.1f} s CPU{sorted_}"


@dataclass(frozen=True)
class Case:
    name: str
    file: Path
    words: tuple[str, ...]


def read_cases(file: Path) -> list[Case]:
    cases = []
    for line in file.read_text().splitlines():
        words = line.partition("#")[0].split()
        if words:
            cases.append(Case(words[0], (file.parent / words[1]).resolve(), tuple(words[2:])))
    return cases


def measured(arguments: list[str], out: Path, folder: Path) -> Run:
    """Run a reducer; CPU seconds include the predicate and its descendants."""
    counter = folder / "tests"
    counter.write_text("")
    before = os.times()
    result = subprocess.run(
        arguments, env={**os.environ, "FALSUM_TESTS": str(counter)}, capture_output=True, check=False
    )
    after = os.times()
    cpu = (after.children_user - before.children_user) + (after.children_system - before.children_system)
    if not out.exists():
        print(result.stderr.decode(errors="replace")[-2000:], file=sys.stderr)
        return Run(0, counter.read_text().count("\n"), cpu, well_sorted=False, text="")
    text = out.read_text(errors="surrogateescape")
    try:
        read_script(text)
        well_sorted = True
    except ScriptError:
        well_sorted = False
    return Run(
        len(text.encode(errors="surrogateescape")), counter.read_text().count("\n"), cpu, well_sorted, text
    )


def with_falsum(case: Case, predicate: list[str], folder: Path) -> Run:
    out = folder / "falsum.smt2"
    line = shlex.join(["/bin/sh", "-c", _COUNTER, "sh", *predicate])
    start = "from falsum.app.commands.reduce import command; command()"
    arguments = ["-c", start, str(case.file), "--command", line, "--out", str(out)]
    return measured([sys.executable, *arguments], out, folder)


def with_ddsmt(program: str, case: Case, predicate: list[str], folder: Path) -> Run:
    out = folder / "ddsmt.smt2"
    counted = ["/bin/sh", "-c", _COUNTER, "sh", *predicate]
    return measured([program, "-j", "1", "--ignore-output", str(case.file), str(out), *counted], out, folder)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.reduction.commands", __doc__)
    made.add_argument("cases", type=Path, metavar="CASES", help="list of cases")
    made.add_argument("predicate", type=Path, metavar="PREDICATE", help="Python program")
    made.add_argument("--ddsmt", metavar="PROGRAM", help="ddSMT (default: measure only falsum)")
    made.add_argument("--only", action="append", metavar="ID", help="only this case")
    made.add_argument("--show", action="store_true", help="print the results")
    return made


def main() -> None:
    args = parser().parse_args()
    ours: list[Run] = []
    theirs: list[Run] = []
    for case in read_cases(args.cases):
        if args.only and case.name not in args.only:
            continue
        words = [sys.executable, str(args.predicate.resolve()), *case.words]
        with tempfile.TemporaryDirectory() as name:
            ours.append(with_falsum(case, words, Path(name)))
            print(f"{case.name:4} {case.file.stat().st_size:8} bytes   falsum {ours[-1]}")
            if args.show:
                print(ours[-1].text)
            if args.ddsmt:
                theirs.append(with_ddsmt(args.ddsmt, case, words, Path(name)))
                print(f"{'':22} ddSMT  {theirs[-1]}")
    for label, runs in (("falsum", ours), ("ddSMT", theirs)):
        if runs:
            total = (sum(r.length for r in runs), sum(r.tests for r in runs), sum(r.cpu for r in runs))
            print(f"{label:6} total {total[0]} bytes, {total[1]} tests, {total[2]:.1f} s CPU")


if __name__ == "__main__":
    main()
