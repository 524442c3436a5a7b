"""The system calls that solvers make, by strace, compared with the list that the fence allows.

Each product runs without the fence: scripts warm and cold, with models and cores, and as a library. A listed
call that none makes, and one that is made and not listed, are named.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

from bench.command import command_parser

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.errors import FalsumError
from falsum.seeds import bundled
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.supervision import call_filter, fence
from falsum.solvers.supervision.process import ProcessRunner, Program, RunningProgram
from falsum.solvers.zoo import Zoo
from falsum.strategies.generate import LOGICS, Generate

SOLVERS = ("z3", "cvc5", "bitwuzla", "yices", "boolector", "cvc4", "z3@4.8.7", "z3@4.8.12", "cvc5@1.1.0")
LIMITS = Limits(seconds=20.0)
# `openat(…) = 3`, also in two parts and with the number of a process in front.
_CALL = re.compile(r"^(?:\d+ +)?(?:<\.\.\. )?([a-z][a-z0-9_]*)(?:\(| resumed)")
# Names that strace has for calls of the list.
_NAMES = {"pread": "pread64", "pwrite": "pwrite64", "prlimit": "prlimit64", "fstatat": "newfstatat"}


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.solvers.system_calls", __doc__)
    made.add_argument("solvers", nargs="*", metavar="SOLVER", help=f"default: {' '.join(SOLVERS)}")
    made.add_argument("--scripts", type=int, default=120, metavar="N", help="scripts each (default 120)")
    made.add_argument("--runs", type=int, default=20, metavar="N", help="library runs each (default 20)")
    return made


def main() -> int:
    args = parser().parse_args()
    if shutil.which("strace") is None:
        sys.exit("strace is not installed")
    os.environ[fence.VARIABLE] = fence.OFF
    listed = set(call_filter.numbers(traces=True))
    made: set[str] = set()
    for name in args.solvers or SOLVERS:
        try:
            solver = resolve(name, Zoo())
        except FalsumError as error:
            print(f"{name}: not tried: {error}", flush=True)
            continue
        with traced() as warm_and_cold:
            ask(solver, args.scripts)
        with traced() as library:
            runs = run_library(solver, args.runs)
        both = warm_and_cold | library
        made |= both
        print(f"{solver.name}: {len(both)} calls, {len(library - warm_and_cold)} of them only in {runs} "
              f"library runs; not listed: {shown(both - listed)}", flush=True)  # fmt: skip
    print(f"{len(made)} calls in all; {len(listed)} are listed")
    print(f"not listed: {shown(made - listed)}")
    print(f"listed and made by none: {shown(listed - made)}")
    return 0


def ask(solver: Solver, scripts: int) -> None:
    """Scripts and mutants of them, warm and cold."""
    wants = (Want.VERDICT, Want.MODEL, Want.CORE)
    with LiveLab([solver], LIMITS) as lab:
        for number, text in enumerate(islice(texts(), scripts)):
            for is_cold in (False, True) if number % 4 == 0 else (False,):
                lab.ask(Request(solver.name, text, wants[number % 3], cold=is_cold))


def texts() -> Iterator[str]:
    """Bundled seeds and generated scripts of all logics, in turn."""
    seeds = [each.read_text(encoding="utf-8") for each in bundled()]
    for number in count():
        yield seeds[number % len(seeds)]
        logic = list(LOGICS)[number % len(LOGICS)]
        mutants = Generate(logics=(logic,)).mutants((), Random(f"{number}:{logic}"), None)
        yield from (mutant.text for mutant in islice(mutants, 1))


def run_library(solver: Solver, runs: int) -> int:
    """Runs of the product's library; how many there were."""
    try:
        with Fuzzer(solver, Settings(compare=0)) as fuzzer:
            for number in range(runs):
                fuzzer.run(number)
    except FalsumError as error:
        print(f"{solver.name}: no library: {error}", flush=True)
        return 0
    return runs


@contextmanager
def traced() -> Iterator[set[str]]:
    """The calls that all programs make which are started meanwhile, complete at the end."""
    calls: set[str] = set()
    start, numbers = ProcessRunner.start, count()
    with tempfile.TemporaryDirectory() as folder:

        def start_traced(
            runner: ProcessRunner, program: Program, limits: Limits, script: bytes | None = None, **rest: Any
        ) -> RunningProgram:
            # The tracer is a grandchild, so the number of the process is the program's. To a pipe it writes
            # line by line: it is killed with the program.
            tracer = ("/usr/bin/strace", "-D", "-f", "-qq", "-s", "0", "-e", "signal=none", "-o",
                      f"|exec cat > {folder}/{next(numbers)}")  # fmt: skip
            return start(runner, replace(program, argv=(*tracer, *program.argv)), limits, script, **rest)

        setattr(ProcessRunner, "start", start_traced)  # noqa: B010 - for a while
        try:
            yield calls
        finally:
            setattr(ProcessRunner, "start", start)  # noqa: B010
        for file in Path(folder).iterdir():
            for line in file.read_text(errors="replace").splitlines():
                if found := _CALL.match(line):
                    calls.add(_NAMES.get(found[1], found[1]))


def shown(calls: set[str]) -> str:
    return " ".join(sorted(calls)) or "none"


if __name__ == "__main__":
    sys.exit(main())
