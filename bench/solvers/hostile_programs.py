"""Runs programs that crash, hang, flood or fork: counts wrong answers, and processes and files that are left
over.
"""

from __future__ import annotations

import argparse
import collections
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import psutil
from bench.command import command_parser
from tests.solvers.conftest import wreck
from tests.solvers.supervision.test_process import EXPECTED, LIMITS, PATIENT

from falsum.solvers.answer import EndingKind
from falsum.solvers.output import read
from falsum.solvers.profiles import GENERIC
from falsum.solvers.supervision.process import ProcessRunner


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.solvers.hostile_programs", __doc__)
    made.add_argument("runs", type=int, nargs="?", default=1000, metavar="RUNS", help="runs (default 1,000)")
    made.add_argument(
        "jobs", type=int, nargs="?", default=4, metavar="JOBS", help="runs at a time (default 4)"
    )
    return made


def main() -> None:
    args = parser().parse_args()
    runs, jobs = args.runs, args.jobs
    with tempfile.TemporaryDirectory() as scratch:
        tempfile.tempdir = scratch
        rng = Random(4)
        names = [rng.choice(sorted(EXPECTED)) for _ in range(runs)]
        wrong: collections.Counter[str] = collections.Counter()
        latest = 0.0
        with ProcessRunner() as runner, ThreadPoolExecutor(jobs) as pool:
            for name, right, took in pool.map(lambda name: one(runner, name), names):
                wrong[name] += not right
                if EXPECTED[name][1] is EndingKind.TIMED_OUT:
                    latest = max(latest, took)
        processes = [child.pid for child in psutil.Process().children(recursive=True)]
        files = [str(file) for file in Path(scratch).iterdir()]
    print(f"{runs} runs of {len(EXPECTED)} programs, {jobs} at a time, limit {LIMITS.seconds} s")
    print(f"wrong answers: {sum(wrong.values())} {dict(+wrong)}; slowest time-out {latest:.2f} s")
    print(f"processes left: {len(processes)}, files left: {len(files)}")


def one(runner: ProcessRunner, name: str) -> tuple[str, bool, float]:
    start = time.monotonic()
    verdicts, kind, cause = EXPECTED[name]
    # On a busy machine a program that exhausts memory may need more than a second for it.
    limits = LIMITS if kind is EndingKind.TIMED_OUT else PATIENT
    answer = read(GENERIC, runner.run(wreck(name), limits, b"(check-sat)\n"))
    right = answer.verdicts == verdicts and (answer.ending.kind, answer.ending.cause) == (kind, cause)
    if not right:
        print(name, answer.ending, answer.verdicts, answer.stderr[:200], file=sys.stderr)
    return name, right, time.monotonic() - start


if __name__ == "__main__":
    main()
