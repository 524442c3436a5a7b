"""Memory of a warm host and of falsum itself over many scripts.

Run as `python bench/solvers_memory.py CORPUS [SOLVER] [SCRIPTS]`: asks small scripts round and round and
prints resident megabytes as it goes.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import psutil

from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

ROUNDS = 10
QUICK_SECONDS = 0.02


def main() -> None:
    corpus = sys.argv[1]
    name = sys.argv[2] if len(sys.argv) > 2 else "z3"
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 50_000
    with LiveLab([resolve(name, Zoo())], Limits(seconds=2.0)) as lab:
        scripts = quick_scripts(lab, name, Path(corpus))
        print(f"{name}: {len(scripts)} quick scripts, asked {count} times in all")
        started = time.monotonic()
        for number in range(count):
            lab.ask(Request(name, scripts[number % len(scripts)] + f"; {number}\n"))
            if (number + 1) % (count // ROUNDS) == 0:
                report(number + 1, time.monotonic() - started)


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
    told = ", ".join(f"{kind} {size} MB" for kind, size in sizes.items())
    print(f"{asked} scripts, {seconds:.0f} s: {told}", flush=True)


if __name__ == "__main__":
    main()
