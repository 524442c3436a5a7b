"""Resident memory of falsum and of its solvers during a campaign, and the slope over its second half.

The store OUT is kept. OPTIONs are passed to `falsum fuzz`.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time

import psutil
from bench.campaign.fuzz_process import events, start
from bench.command import command_parser


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.memory", __doc__)
    made.add_argument(
        "seconds", type=float, nargs="?", default=600.0, metavar="SECONDS", help="time (default 600)"
    )
    made.add_argument("out", nargs="?", metavar="OUT", help="store (default: a temporary one)")
    made.add_argument("options", nargs=argparse.REMAINDER, metavar="OPTION", help="options of falsum fuzz")
    return made


def main() -> None:
    args = parser().parse_args()
    seconds = args.seconds
    with tempfile.TemporaryDirectory() as home:
        run = start(args.out or home, "--for", f"{seconds}s", *args.options)
        reader = threading.Thread(target=lambda: seen.extend(events(run)))
        seen: list[dict[str, object]] = []
        reader.start()
        points = []
        started = time.monotonic()
        while run.poll() is None:
            time.sleep(seconds / 40)
            own, solvers = resident(run.pid)
            points.append((time.monotonic() - started, own, solvers))
            if len(points) % 4 == 0:
                print(f"{points[-1][0]:6.0f} s: falsum {own:6.0f} MB, solvers {solvers:6.0f} MB", flush=True)
        reader.join()
    # Not the last moments, in which the workers end.
    half = [(at, own) for at, own, _solvers in points if seconds / 2 < at < 0.95 * seconds]
    print(f"{seen[-1]['mutants']} mutants; slope in the second half {slope(half) * 3600:.1f} MB/h")


def resident(pid: int) -> tuple[float, float]:
    """Megabytes of falsum's processes, and of all other descendants."""
    own = solvers = 0.0
    try:
        for process in [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]:
            line = " ".join(process.cmdline())
            size = process.memory_info().rss / 2**20
            if "spawn_main" in line or "falsum.app.main" in line:
                own += size
            else:
                solvers += size
    except psutil.NoSuchProcess:
        pass
    return own, solvers


def slope(points: list[tuple[float, float]]) -> float:
    if len(points) < 2:
        return 0.0
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


if __name__ == "__main__":
    main()
