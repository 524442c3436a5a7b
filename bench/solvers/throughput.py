"""CPU time per script: one process each in comparison with a warm host.

Asks each SOLVER about the 200 smallest scripts of CORPUS, cold and warm alternately, so that other load
affects both. Also gives the share of CPU time inside the first solver on scripts that take it 10 ms or more.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import psutil
from bench.command import command_parser

from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

SMALLEST = 200
SLOW_SECONDS = 0.010


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.solvers.throughput", __doc__)
    made.add_argument("corpus", type=Path, metavar="CORPUS", help="directory of .smt2 scripts")
    made.add_argument(
        "solvers",
        nargs="*",
        default=["z3", "cvc5", "bitwuzla"],
        metavar="SOLVER",
        help="solvers (default: z3 cvc5 bitwuzla)",
    )
    return made


def main() -> None:
    args = parser().parse_args()
    files = sorted(args.corpus.rglob("*.smt2"), key=lambda file: (file.stat().st_size, str(file)))
    scripts = [file.read_text(errors="replace") for file in files[:SMALLEST]]
    for name in args.solvers:
        measure(name, scripts)
    share(args.solvers[0], files)


def measure(name: str, scripts: list[str]) -> None:
    with LiveLab([resolve(name, Zoo())], Limits(seconds=2.0)) as lab:
        lab.ask(Request(name, "(check-sat)"))
        cold, warm, same = [], [], 0
        for script in scripts:
            first = lab.ask(Request(name, script, cold=True))
            second = lab.ask(Request(name, script))
            if "timed out" in (first.ending.kind, second.ending.kind):
                continue
            cold.append(first.cpu)
            warm.append(second.cpu)
            same += (first.verdicts, first.ending) == (second.verdicts, second.ending)
        empty = statistics.median(
            lab.ask(Request(name, "(check-sat)", cold=True, again=True)).cpu for _ in range(9)
        )
    pairs = list(zip(cold, warm, strict=True))
    # If solving takes longer than starting, there is little to save.
    small = [(one, other) for one, other in pairs if one < 2 * empty]
    print(
        f"{name}: median {1000 * statistics.median(cold):.2f} ms cold, "
        f"{1000 * statistics.median(warm):.2f} ms warm; {same} of {len(cold)} answers the same\n"
        f"  all {len(pairs)} scripts: {faster(pairs)}\n"
        f"  {len(small)} whose cold run takes less than two empty ones: {faster(small)}"
    )


def faster(pairs: list[tuple[float, float]]) -> str:
    cold, warm = sum(one for one, _ in pairs), sum(other for _, other in pairs)
    ratio = statistics.median(one / max(other, 1e-6) for one, other in pairs)
    return (
        f"{1000 * cold / len(pairs):.2f} ms cold, {1000 * warm / len(pairs):.2f} ms warm on average, "
        f"{cold / warm:.1f} times faster in sum, {ratio:.1f} times in the median"
    )


def share(name: str, files: list[Path]) -> None:
    """The solver's share of all CPU time, falsum's included, on scripts that take it 10 ms or more."""
    with LiveLab([resolve(name, Zoo())], Limits(seconds=2.0)) as lab:
        slow = []
        for file in files[:: max(1, len(files) // 400)]:
            script = file.read_text(errors="replace")
            answer = lab.ask(Request(name, script))
            if answer.cpu >= SLOW_SECONDS and answer.finished:
                slow.append(script)
        for script in slow:  # so that scripts with their own settings have a host already
            lab.ask(Request(name, script, again=True))
        inside, start = 0.0, own_cpu()
        for script in slow:
            inside += lab.ask(Request(name, script, again=True)).cpu
        ours = own_cpu() - start
    print(f"{name}: {inside / (inside + ours):.1%} of CPU inside the solver on {len(slow)} scripts")


def own_cpu() -> float:
    """CPU seconds of falsum and of its supervisors."""
    supervisors = [
        child.cpu_times()
        for child in psutil.Process().children()
        if any("supervisor.py" in word for word in child.cmdline())
    ]
    return time.process_time() + float(sum(times.user + times.system for times in supervisors))


if __name__ == "__main__":
    main()
