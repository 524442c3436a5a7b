"""Writes random traces as Python programs, runs each alone, and compares the verdicts with the trace.

The program gets the library and nothing else. Run it with the Python of an environment in which the wheel is
installed, from another directory: the command prints where falsum was imported from. Runs that time out are
not written. For yices the program calls the C interface by ctypes.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from bench.command import command_parser

import falsum
from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.run_result import RunStatus
from falsum.api.traces.program import trace_to_program
from falsum.errors import FalsumError
from falsum.solvers.solver import resolve
from falsum.solvers.supervision.process import ProcessRunner
from falsum.solvers.zoo import Zoo

# A row that prints a verdict, and the verdict that the trace has there.
VERDICT = re.compile(r"^print\((.*)\)  # (sat|unsat|unknown)$", re.MULTILINE)
MARK = "@verdict"
# Boolector and yices answer in numbers.
NUMBERS = {"10": "sat", "20": "unsat", "0": "unknown", "3": "sat", "4": "unsat", "2": "unknown"}
SECONDS = 120


def measure(name: str, first: int, count: int) -> None:
    solver = resolve(name, Zoo())
    release = solver.release
    assert release is not None
    assert release.folder is not None
    counts: Counter[str] = Counter()
    with Fuzzer(solver, Settings(compare=0)) as fuzzer, ProcessRunner() as runner:
        number = first
        while sum(counts.values()) < count:
            result = fuzzer.run(number)
            number += 1
            if result.status is RunStatus.TIMED_OUT:
                continue
            try:
                text = trace_to_program(result.trace, release, runner)
            except FalsumError as error:
                counts["no program"] += 1
                print(f"{name} {number - 1}: {error}", flush=True)
                continue
            is_expected_to_fail = result.status not in (RunStatus.DONE, RunStatus.CHECK_FAILED)
            problem = difference(text, release.folder, fails=is_expected_to_fail)
            counts["differs" if problem else "the same"] += 1
            if problem:
                print(f"{name} {number - 1} ({result.status}): {problem}", flush=True)
    print(f"{name}: {dict(counts)}", flush=True)


def difference(text: str, folder: str, *, fails: bool) -> str:
    """How a program's output differs from the trace; "" if it does not."""
    expected = [verdict for _expression, verdict in VERDICT.findall(text)]
    marked = VERDICT.sub(rf"print('{MARK}', \1, flush=True)", text)
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "program.py"
        file.write_text(marked, encoding="utf-8")
        try:
            result = subprocess.run(
                [sys.executable, "-S", str(file)],
                env={"PYTHONPATH": folder, "PATH": "/usr/bin:/bin"},
                cwd=directory,
                capture_output=True,
                text=True,
                check=False,
                timeout=SECONDS,
            )
        except subprocess.TimeoutExpired:
            return f"no end within {SECONDS} s"
    # cvc5 prints a reason after `unknown`, and a pair for a timeout core.
    words = [row.split()[1].strip("(,").lower() for row in result.stdout.splitlines() if row.startswith(MARK)]
    printed = [NUMBERS.get(word, word).rpartition(".")[2] for word in words]
    if fails != bool(result.returncode):
        return f"exit status {result.returncode}: {result.stderr.strip()[-300:]}"
    return "" if printed == expected else f"printed {printed}, not {expected}"


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.library.programs", __doc__)
    made.add_argument("--solver", action="append", metavar="S", help="library (default: all five)")
    made.add_argument("--count", type=int, default=200, metavar="N", help="traces per library (default 200)")
    made.add_argument("--rng", type=int, default=0, metavar="N", help="number of the first run")
    return made


def main() -> None:
    args = parser().parse_args()
    print(f"falsum {falsum.__version__} in {Path(falsum.__file__).parent}", flush=True)
    for name in args.solver or ["z3", "cvc5", "bitwuzla", "yices", "boolector"]:
        measure(name, args.rng, args.count)


if __name__ == "__main__":
    main()
