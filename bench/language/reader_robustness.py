"""Feeds broken scripts to the reader: the only exception allowed is ScriptError, with a position in the text.

Inputs are mutated scripts of SEEDS (default: a few built-in ones). A script that is read must print and read
back as the same script. With `--hypothesis`, Hypothesis draws the inputs and shrinks the first failure.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from bench.command import command_parser
from bench.language.acceptance import scripts
from bench.language.broken_scripts import EMBEDDED, Mutator, fixed_inputs, shrink

from falsum.errors import ScriptError
from falsum.smtlib import print_script, read_script
from falsum.smtlib.text.lexer import decode

LIMIT: Final = 10.0  # seconds per input
LARGEST_SEED: Final = 3_000  # bytes


@dataclass(slots=True)
class Report:
    """The results for some inputs; failures by their signature."""

    inputs: int = 0
    read: int = 0
    refused: int = 0
    failures: dict[str, tuple[int, str, str]] = field(default_factory=dict)

    def fail(self, signature: str, text: str, detail: str) -> None:
        """Count a failure, and keep the shortest input."""
        count, kept, shown = self.failures.get(signature, (0, text, detail))
        if len(text) < len(kept):
            kept, shown = text, detail
        self.failures[signature] = (count + 1, kept, shown)

    def add(self, other: Report) -> None:
        self.inputs += other.inputs
        self.read += other.read
        self.refused += other.refused
        for signature, (count, text, detail) in other.failures.items():
            self.fail(signature, text, detail)
            total, kept, shown = self.failures[signature]
            self.failures[signature] = (total + count - 1, kept, shown)


class TooSlow(BaseException):
    """Raised by the alarm if an input takes too long."""


def on_alarm(*_: object) -> None:
    raise TooSlow


def examine(text: str, report: Report) -> None:
    """Read one input; print it and read it again when it is a script."""
    report.inputs += 1
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        problem = problem_of(text, report)
    except (Exception, TooSlow) as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        signature = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
        report.fail(signature, text, traceback.format_exc(limit=-6))
    else:
        if problem:
            report.fail(problem.split(":")[0], text, problem)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def fails_with(signature: str, text: str) -> bool:
    report = Report()
    examine(text, report)
    return signature in report.failures


def problem_of(text: str, report: Report) -> str:
    """What is wrong with how the reader treats an input; "" if nothing."""
    try:
        script = read_script(decode(text.encode(errors="surrogateescape")))
    except ScriptError as error:
        report.refused += 1
        return position_problem(text, error)
    report.read += 1
    printed = print_script(script)
    try:
        again = read_script(printed)
    except ScriptError as error:
        return f"printed, not read again: {error}\n{printed}"
    return "" if again == script else f"another script when read again: {printed}"


def position_problem(text: str, error: ScriptError) -> str:
    lines = text.split("\n")
    if not 1 <= error.line <= len(lines):
        return f"line outside the text: {error} ({len(lines)} lines)"
    if not 1 <= error.column <= len(lines[error.line - 1]) + 1:
        return f"column outside the line: {error}"
    if not error.message.strip() or "\n" in error.message:
        return f"message empty or not one line: {error}"
    return ""


def run_share(seeds: list[str], number: int, count: int, fixed: list[str]) -> Report:
    signal.signal(signal.SIGALRM, on_alarm)
    report, mutator, rng = Report(), Mutator(seeds), Random(number)
    for text in fixed:
        examine(text, report)
    while report.inputs < count:
        examine(mutator.draw(rng), report)
    return report


def run_hypothesis(seeds: list[str], count: int) -> Report:
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    total, mutator = Report(), Mutator(seeds)

    @settings(max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=False))
    def only_script_errors(rng: random.Random) -> None:
        own = Report()
        examine(mutator.draw(rng), own)
        total.add(own)
        assert not own.failures, own.failures

    try:
        only_script_errors()
    except Exception:
        print(traceback.format_exc(limit=-1))
    return total


def load_seeds(root: Path | None, rng: Random) -> list[str]:
    if root is None:
        return list(EMBEDDED)
    files = [file for file in scripts(root) if file.stat().st_size <= LARGEST_SEED]
    chosen = rng.sample(files, min(len(files), 1_000))
    texts = [file.read_text(encoding="utf-8", errors="replace") for file in chosen]
    return [*EMBEDDED, *(text for text in texts if text.strip())]


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.language.reader_robustness", __doc__)
    made.add_argument("seeds", type=Path, nargs="?", metavar="SEEDS", help="directory of .smt2 scripts")
    made.add_argument(
        "--count", type=int, default=100_000, metavar="N", help="number of inputs (default 100,000)"
    )
    made.add_argument("--rng", type=int, default=1, metavar="N", help="random seed")
    made.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default 2)")
    made.add_argument("--hypothesis", action="store_true", help="let Hypothesis draw the inputs")
    return made


def main() -> int:
    args = parser().parse_args()
    start, total = time.monotonic(), Report()
    signal.signal(signal.SIGALRM, on_alarm)
    seeds = load_seeds(args.seeds, Random(args.rng))
    if args.hypothesis:
        total = run_hypothesis(seeds, args.count)
    else:
        fixed, jobs = fixed_inputs(seeds), range(args.jobs)
        with ProcessPoolExecutor(args.jobs) as pool:
            share = [args.count // args.jobs + (n < args.count % args.jobs) for n in jobs]
            parts = [
                pool.submit(run_share, seeds, args.rng * 1000 + n, share[n], fixed[n :: args.jobs])
                for n in jobs
            ]
            for part in parts:
                total.add(part.result())
    print(f"{total.inputs} inputs in {time.monotonic() - start:.0f} s: ", end="")
    print(f"{total.read} read, {total.refused} refused, {len(total.failures)} kinds of failure")
    for signature, (count, text, detail) in sorted(total.failures.items()):
        small = text if "TooSlow" in signature else shrink(text, partial(fails_with, signature))
        print(f"\n{signature}  ({count} inputs)\n{detail.strip()[:1500]}\ninput: {small[:600]!r}", flush=True)
    return 1 if total.failures else 0


if __name__ == "__main__":
    sys.exit(main())
