"""Replays traces of each library on every other library that shares a theory, and prints what goes wrong.

A replay must not give a false alarm: each failure, and each pair of verdicts that contradict each other, is
printed, to be explained by a defect of one of the two libraries. Runs are made without random options and
without reference solvers, so that only the replays are judged.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import permutations

from bench.command import command_parser

from falsum.api.cross_replay import adapt_trace, compared_verdicts
from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.api.model.theories import COMMON, supports
from falsum.api.run_result import RunResult, RunStatus
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

LIBRARIES = ("z3", "cvc5", "bitwuzla", "yices", "boolector")


def shared_theories(first: Fuzzer, second: Fuzzer) -> tuple[str, ...]:
    return tuple(
        theory
        for theory in COMMON
        if theory != "core" and supports(first.capabilities, theory) and supports(second.capabilities, theory)
    )


def measure(name: str, other: str, first: int, count: int) -> None:
    zoo = Zoo()
    quiet = Settings(compare=0, options=0)
    with Fuzzer(resolve(name, zoo), quiet) as probe, Fuzzer(resolve(other, zoo), quiet) as peer:
        settings = Settings(compare=0, options=0, theories=shared_theories(probe, peer))
        counts: Counter[str] = Counter()
        with Fuzzer(resolve(name, zoo), settings) as fuzzer:
            for number in range(first, first + count):
                result = fuzzer.run(number)
                if result.status in (RunStatus.DONE, RunStatus.TIMED_OUT):
                    replay(peer, result, counts, f"{name} {number} on {other}")
                else:
                    counts[f"not replayed: {result.status}"] += 1
    print(f"{name} on {other} ({' '.join(settings.theories)}): {dict(sorted(counts.items()))}", flush=True)


def replay(peer: Fuzzer, result: RunResult, counts: Counter[str], label: str) -> None:
    again = peer.replay(adapt_trace(result.trace, peer), cold=False)
    counts[str(again.status)] += 1
    counts["lines"] += len(result.trace.steps)
    counts["lines skipped"] += again.skipped
    if again.is_wrong or again.status is RunStatus.REFUSED:
        print(f"    {label}: {again.status} {again.kind} {again.evidence[:200]}", flush=True)
    pairs = compared_verdicts(result.trace, again.trace)
    counts["verdicts compared"] += len(pairs)
    for place, pair in enumerate(pairs, 1):
        if set(pair) == {"sat", "unsat"}:
            counts["contradictions"] += 1
            print(f"    {label}: check {place}: {pair[0]}, {pair[1]}", flush=True)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.library.cross_replay", __doc__)
    made.add_argument("--solver", action="append", metavar="S", help="library (default: all five)")
    made.add_argument("--count", type=int, default=100, metavar="N", help="traces per pair (default 100)")
    made.add_argument("--rng", type=int, default=0, metavar="N", help="number of the first run")
    return made


def main() -> None:
    args = parser().parse_args()
    for name, other in permutations(args.solver or LIBRARIES, 2):
        measure(name, other, args.rng, args.count)


if __name__ == "__main__":
    main()
