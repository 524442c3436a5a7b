"""Resident memory of a warm host and of falsum over many scripts.

Asks SOLVER about small, quick scripts of CORPUS again and again, and prints the memory at regular intervals.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import psutil
from bench.command import command_parser

from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

ROUNDS = 10
QUICK_SECONDS = 0.02


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.solvers.memory", __doc__)
    made.add_argument("corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument("solver", nargs="?", default="z3", metavar="SOLVER", help="solver (default z3)")
    made.add_argument(
        "count", type=int, nargs="?", default=50_000, metavar="COUNT", help="calls (default 50,000)"
    )
    return made


def main() -> None:
    args = parser().parse_args()
    name, count = args.solver, args.count
    with LiveLab([resolve(name, Zoo())], Limits(seconds=2.0)) as lab:
        scripts = quick_scripts(lab, name, args.corpus)
        print(f"{name}: {len(scripts)} quick scripts, {count} calls")
        start = time.monotonic()
        for number in range(count):
            lab.ask(Request(name, scripts[number % len(scripts)] + f"; {number}\n"))
            if (number + 1) % (count // ROUNDS) == 0:
                report(number + 1, time.monotonic() - start)


def quick_scripts(lab: LiveLab, name: str, corpus: Path) -> list[str]:
    files = sorted(corpus.rglob("*.smt2"), key=lambda file: (file.stat().st_size, str(file)))
    quick = []
    for file in files[:400]:
        script = file.read_text(errors="replace")
        lab.ask(Request(name, script))
        again = lab.ask(Request(name, script, again=True))
        if again.finished and again.seconds < QUICK_SECONDS:
            quick.append(script)
    return quick


def report(asked: int, seconds: float) -> None:
    own = psutil.Process()
    sizes = {"falsum": own.memory_info().rss >> 20}
    for child in own.children(recursive=True):
        kind = "supervisor" if any("supervisor.py" in word for word in child.cmdline()) else "host"
        sizes[kind] = max(sizes.get(kind, 0), child.memory_info().rss >> 20)
    shown = ", ".join(f"{kind} {size} MB" for kind, size in sizes.items())
    print(f"{asked} scripts, {seconds:.0f} s: {shown}", flush=True)


if __name__ == "__main__":
    main()
