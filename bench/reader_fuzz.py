"""Throw broken scripts at the reader: only ScriptError may come out, with a place in the text.

    python -m bench.reader_fuzz [SEEDS] [--count 100000] [--rng 1] [--jobs 2] [--hypothesis]

What is read must also print and read back as the same script. With `--hypothesis` Hypothesis draws
the inputs and shrinks the first that fails.
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

from bench.broken import EMBEDDED, Mutator, fixed_inputs, shrink
from bench.reading import scripts

from falsum.errors import ScriptError
from falsum.smtlib import print_script, read_script
from falsum.smtlib.lexer import decode

LIMIT: Final = 10.0  # seconds for one input
LARGEST_SEED: Final = 3_000  # bytes


@dataclass(slots=True)
class Report:
    """What happened to the inputs of one share; failures by where they came from."""

    inputs: int = 0
    read: int = 0
    refused: int = 0
    failures: dict[str, tuple[int, str, str]] = field(default_factory=dict)

    def fail(self, signature: str, text: str, detail: str) -> None:
        """Count a failure; the shortest input stands for its kind."""
        count, kept, said = self.failures.get(signature, (0, text, detail))
        if len(text) < len(kept):
            kept, said = text, detail
        self.failures[signature] = (count + 1, kept, said)

    def add(self, other: Report) -> None:
        self.inputs += other.inputs
        self.read += other.read
        self.refused += other.refused
        for signature, (count, text, detail) in other.failures.items():
            self.fail(signature, text, detail)
            total, kept, said = self.failures[signature]
            self.failures[signature] = (total + count - 1, kept, said)


class TooSlow(BaseException):
    """Raised by the alarm inside the reader."""


def ring(*_: object) -> None:
    raise TooSlow


def examine(text: str, report: Report) -> None:
    """Read one input; print it and read it again when it is a script."""
    report.inputs += 1
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        problem = judge(text, report)
    except (Exception, TooSlow) as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        signature = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
        report.fail(signature, text, traceback.format_exc(limit=-6))
    else:
        if problem:
            report.fail(problem.split(":")[0], text, problem)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def fails_so(signature: str, text: str) -> bool:
    report = Report()
    examine(text, report)
    return signature in report.failures


def judge(text: str, report: Report) -> str:
    try:
        script = read_script(decode(text.encode(errors="surrogateescape")))
    except ScriptError as error:
        report.refused += 1
        return misplaced(text, error)
    report.read += 1
    printed = print_script(script)
    try:
        again = read_script(printed)
    except ScriptError as error:
        return f"printed, not read again: {error}\n{printed}"
    return "" if again == script else f"another script when read again: {printed}"


def misplaced(text: str, error: ScriptError) -> str:
    lines = text.split("\n")
    if not 1 <= error.line <= len(lines):
        return f"line outside the text: {error} ({len(lines)} lines)"
    if not 1 <= error.column <= len(lines[error.line - 1]) + 1:
        return f"column outside the line: {error}"
    if not error.message.strip() or "\n" in error.message:
        return f"message empty or not one line: {error}"
    return ""


def run_share(seeds: list[str], number: int, count: int, fixed: list[str]) -> Report:
    signal.signal(signal.SIGALRM, ring)
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


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.reader_fuzz", description=__doc__)
    parser.add_argument("seeds", type=Path, nargs="?")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--rng", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--hypothesis", action="store_true")
    given = parser.parse_args()
    start, total = time.monotonic(), Report()
    signal.signal(signal.SIGALRM, ring)
    seeds = load_seeds(given.seeds, Random(given.rng))
    if given.hypothesis:
        total = run_hypothesis(seeds, given.count)
    else:
        fixed, jobs = fixed_inputs(seeds), range(given.jobs)
        with ProcessPoolExecutor(given.jobs) as pool:
            share = [given.count // given.jobs + (n < given.count % given.jobs) for n in jobs]
            parts = [
                pool.submit(run_share, seeds, given.rng * 1000 + n, share[n], fixed[n :: given.jobs])
                for n in jobs
            ]
            for part in parts:
                total.add(part.result())
    print(f"{total.inputs} inputs in {time.monotonic() - start:.0f} s: ", end="")
    print(f"{total.read} read, {total.refused} refused, {len(total.failures)} kinds of failure")
    for signature, (count, text, detail) in sorted(total.failures.items()):
        small = text if "TooSlow" in signature else shrink(text, partial(fails_so, signature))
        print(f"\n{signature}  ({count} inputs)\n{detail.strip()[:1500]}\ninput: {small[:600]!r}", flush=True)
    return 1 if total.failures else 0


if __name__ == "__main__":
    sys.exit(main())
