"""Cost of the kernel fence: elapsed time of starting `/bin/true` with and without it, alternately.

The fastest tenth tells most on a busy machine, and the CPU time: of the restrictions alone, and of a
supervisor with namespaces and without, which is started once for many programs.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import tempfile
import time

from bench.command import command_parser

from falsum.solvers.limits import Limits
from falsum.solvers.supervision import fence, namespaces
from falsum.solvers.supervision.client import SupervisorClient, SupervisorKind
from falsum.solvers.supervision.process import ProcessRunner, Program

PROGRAM = Program(("/bin/true",))
LIMITS = Limits(seconds=5)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.solvers.fence", __doc__)
    made.add_argument("--runs", type=int, default=200, metavar="N", help="starts in a row (default 200)")
    made.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds (default 5)")
    return made


def main() -> None:
    args = parser().parse_args()
    times: dict[str, list[float]] = {fence.OFF: [], fence.BEST: []}
    for _ in range(args.rounds):
        for mode, found in times.items():
            found.extend(starts(mode, args.runs))
    print(f"{fence.description()}; namespaces: {namespaces.description()}")
    spent = statistics.median(restriction() for _ in range(args.runs)) * 1000
    print(f"CPU time of the restrictions: {spent:.2f} ms (median)")
    without, with_them = (
        statistics.median(supervisor(kind) for _ in range(20))
        for kind in (SupervisorKind.FREE, SupervisorKind.FENCED)
    )
    print(f"CPU time of a supervisor: {without:.1f} ms without namespaces, {with_them:.1f} ms with them")
    for place, name in ((0, "fastest tenth"), (4, "medians")):
        off, on = (statistics.quantiles(times[mode], n=10)[place] * 1000 for mode in (fence.OFF, fence.BEST))
        print(f"{name}: off {off:.2f} ms, on {on:.2f} ms, difference {on - off:.2f} ms")


def restriction() -> float:
    """The CPU time, in seconds, to make the restrictions and, in a fresh process, to apply them."""
    started = time.process_time_ns()
    restrictions = fence.Restrictions([tempfile.gettempdir()])
    spent = time.process_time_ns() - started
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        started = time.process_time_ns()
        restrictions.apply()
        os.write(writing, str(time.process_time_ns() - started).encode())
        os._exit(0)
    os.close(writing)
    restrictions.close()
    with os.fdopen(reading) as told:
        spent += int(told.read())
    os.waitpid(child, 0)
    return spent / 1e9


def supervisor(kind: SupervisorKind) -> float:
    """The CPU time, in milliseconds, of a supervisor that starts and ends."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    SupervisorClient(kind).close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def starts(mode: str, runs: int) -> list[float]:
    os.environ[fence.VARIABLE] = mode
    found = []
    with ProcessRunner() as runner:
        runner.run(PROGRAM, LIMITS)
        for _ in range(runs):
            start = time.perf_counter()
            runner.run(PROGRAM, LIMITS)
            found.append(time.perf_counter() - start)
    return found


if __name__ == "__main__":
    main()
