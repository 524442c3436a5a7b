"""Replays random traces in a fresh process: how many give the same replies; prints each difference.

Runs that timed out are counted, but not replayed. Each trace is made in a process without other runs, unless
`--used` is given: models and cores of some libraries depend on earlier runs. It is replayed in a newly
started process; a replay that reaches ten seconds of CPU time is counted separately.
"""

from __future__ import annotations

import argparse
from collections import Counter

from bench.command import command_parser

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.run_result import RunStatus
from falsum.api.trace import read_trace
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


def measure(name: str, first: int, count: int, *, used: bool) -> None:
    solver = resolve(name, Zoo())
    settings = Settings(compare=0, runs_per_child=200 if used else 1)
    counts: Counter[str] = Counter()
    slow = Settings(compare=0, seconds=2.5)  # a replay has four times the time of a run
    with Fuzzer(solver, settings) as fuzzer, Fuzzer(solver, slow, forks=False) as again:
        for number in range(first, first + count):
            result = fuzzer.run(number)
            if result.status is RunStatus.TIMED_OUT:
                counts["timed out, not replayed"] += 1
                continue
            other = again.replay(read_trace(str(result.trace)))
            if str(other.trace) == str(result.trace):
                counts["the same"] += 1
                continue
            if other.status is RunStatus.TIMED_OUT:
                counts["timed out when replayed"] += 1
                continue
            counts["same verdicts" if other.verdicts == result.verdicts else "different verdicts"] += 1
            pairs = zip(result.trace.steps, other.trace.steps, strict=False)
            where = next((f"{a.line}: {a.reply} | {b.reply}" for a, b in pairs if a != b), "length")
            print(f"{name} {number}: {where[:300]}", flush=True)
    print(f"{name}: {dict(counts)}", flush=True)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.library.replay", __doc__)
    made.add_argument("--solver", action="append", metavar="S", help="library (default: all)")
    made.add_argument(
        "--count", type=int, default=1000, metavar="N", help="traces per library (default 1,000)"
    )
    made.add_argument("--rng", type=int, default=0, metavar="N", help="number of the first run")
    made.add_argument("--used", action="store_true", help="make the traces in a process with earlier runs")
    return made


def main() -> None:
    args = parser().parse_args()
    for name in args.solver or ["bitwuzla", "z3", "cvc5", "yices", "boolector"]:
        measure(name, args.rng, args.count, used=args.used)


if __name__ == "__main__":
    main()
