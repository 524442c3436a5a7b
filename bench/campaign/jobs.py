"""Mutants of two jobs in comparison with one in the same time, alternately, on the bundled seeds.

Needs two idle cores; prints how idle they are, and how much more two busy loops do than one, which is the
most that two jobs can gain. Without triage, which is another process: a single job would get it for free on
the other core.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import tempfile
import time

from bench.campaign.fuzz_process import fuzz
from bench.command import command_parser

_LOOP_SECONDS = 4.0


def parser() -> argparse.ArgumentParser:
    parsed = command_parser("bench.campaign.jobs", __doc__)
    parsed.add_argument(
        "seconds", type=float, nargs="?", default=30.0, metavar="SECONDS", help="per run (default 30)"
    )
    parsed.add_argument("rounds", type=int, nargs="?", default=2, metavar="ROUNDS", help="rounds (default 2)")
    return parsed


def main() -> None:
    args = parser().parse_args()
    seconds, rounds = args.seconds, args.rounds
    made = {1: 0, 2: 0}
    print(
        f"load before: {os.getloadavg()[0]:.1f}; two loops do {loops(2) / loops(1):.2f} times what one does"
    )
    with tempfile.TemporaryDirectory() as out:
        # Warm-up: the first run only profiles the seeds.
        fuzz(out, "--for", f"{seconds}s", "--jobs", "2", "--rng", "0", "--no-triage")
        for number in range(1, rounds + 1):
            for jobs in (1, 2):
                plan = ("--jobs", str(jobs), "--rng", str(number), "--no-triage")
                end = fuzz(out, "--for", f"{seconds}s", *plan)
                made[jobs] += end["mutants"]
                print(
                    f"round {number}, {jobs} jobs: {end['mutants']} mutants in {end['elapsed']} s", flush=True
                )
    print(f"two jobs make {made[2] / made[1]:.2f} times the mutants of one")


def loops(count: int) -> int:
    """The iterations of so many busy loops together."""
    with multiprocessing.Pool(count) as pool:
        return sum(pool.map(loop, [_LOOP_SECONDS] * count, chunksize=1))


def loop(seconds: float) -> int:
    until = time.monotonic() + seconds
    done = 0
    while time.monotonic() < until:
        done += sum(range(1000)) > 0
    return done


if __name__ == "__main__":
    main()
