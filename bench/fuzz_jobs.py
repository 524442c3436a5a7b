"""Two jobs against one: mutants in the same time, same seeds, same numbers, in turns.

Run as `python -m bench.fuzz_jobs [SECONDS] [ROUNDS]`. Wants two idle cores; says how idle they were, and how
much more two busy loops do than one on this machine, which is all that any two jobs can do. Without triage,
which is one more process behind the workers: a single job would get it for nothing on another core.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
import time

from bench.fuzz_running import fuzz

_LOOP_SECONDS = 4.0


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    made = {1: 0, 2: 0}
    print(
        f"load before: {os.getloadavg()[0]:.1f}; two loops do {loops(2) / loops(1):.2f} times what one does"
    )
    with tempfile.TemporaryDirectory() as out:
        # The first run only learns the seeds.
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
    """What so many processes count to together."""
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
