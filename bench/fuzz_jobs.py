"""Two jobs against one: mutants in the same time, same seeds, same numbers, in turns.

Run as `python -m bench.fuzz_jobs [SECONDS] [ROUNDS]`. Wants two idle cores; says how idle they were. Without
triage, which is one more process behind the workers: a single job would get it for nothing on another core.
"""

from __future__ import annotations

import os
import sys
import tempfile

from bench.fuzz_running import fuzz


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 30.0
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    made = {1: 0, 2: 0}
    print(f"load before: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as out:
        # The first run only learns the seeds.
        fuzz(out, "--for", f"{seconds}s", "--jobs", "2", "--rng", "0", "--no-triage")
        for number in range(1, rounds + 1):
            for jobs in (1, 2):
                plan = ("--jobs", str(jobs), "--rng", str(number), "--no-triage")
                end = fuzz(out, "--for", f"{seconds}s", *plan)
                made[jobs] += end["mutants"]
                print(f"round {number}, {jobs} jobs: {end['mutants']} mutants in {end['elapsed']} s")
    print(f"two jobs make {made[2] / made[1]:.2f} times the mutants of one")


if __name__ == "__main__":
    main()
