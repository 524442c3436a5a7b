"""Cost of the kernel fence: elapsed time of starting `/bin/true` with and without it, alternately.

The fastest tenth tells most on a busy machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

from bench.command import command_parser

from falsum.solvers.limits import Limits
from falsum.solvers.supervision import fence
from falsum.solvers.supervision.process import ProcessRunner, Program

PROGRAM = Program(("/bin/true",))
LIMITS = Limits(seconds=5)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.solvers.fence", __doc__)
    made.add_argument("--runs", type=int, default=200, metavar="N", help="starts in a row (default 200)")
    made.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds (default 5)")
    return made


def main() -> None:
    given = parser().parse_args()
    times: dict[str, list[float]] = {fence.OFF: [], fence.BEST: []}
    for _ in range(given.rounds):
        for mode, found in times.items():
            found.extend(starts(mode, given.runs))
    print(fence.description())
    for place, name in ((0, "fastest tenth"), (4, "medians")):
        off, on = (statistics.quantiles(times[mode], n=10)[place] * 1000 for mode in (fence.OFF, fence.BEST))
        print(f"{name}: off {off:.2f} ms, on {on:.2f} ms, difference {on - off:.2f} ms")


def starts(mode: str, runs: int) -> list[float]:
    os.environ[fence.VARIABLE] = mode
    found = []
    with ProcessRunner() as runner:
        runner.run(PROGRAM, LIMITS)
        for _ in range(runs):
            started = time.perf_counter()
            runner.run(PROGRAM, LIMITS)
            found.append(time.perf_counter() - started)
    return found


if __name__ == "__main__":
    main()
