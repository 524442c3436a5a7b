"""Memory over time: resident megabytes of the engine and its workers, solvers apart.

Run as `python -m bench.fuzz_memory [SECONDS] [OUT] [OPTION…]`; prints a line every tenth of the time and the
slope over the second half. OUT is kept, options are those of `falsum fuzz`.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time

import psutil
from bench.fuzz_running import events, start


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 600.0
    with tempfile.TemporaryDirectory() as home:
        out = sys.argv[2] if len(sys.argv) > 2 else home
        run = start(out, "--for", f"{seconds}s", *sys.argv[3:])
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
    # Not the last moments, in which the workers go.
    half = [(at, own) for at, own, _solvers in points if seconds / 2 < at < 0.95 * seconds]
    print(f"{seen[-1]['mutants']} mutants; slope in the second half {slope(half) * 3600:.1f} MB an hour")


def resident(pid: int) -> tuple[float, float]:
    """Megabytes of Python processes that run falsum, and of all else below."""
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
