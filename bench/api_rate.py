"""CPU time of a run of the API fuzzer, falsum's and the library's, with what a run does.

Run as `python -m bench.api_rate [--solver S…] [--theory T] [--runs N] [--profile]`. The reference is Murxla,
which takes 33 ms of CPU a run for bit-vectors against a binary, with 3 asserts and 1 check (medians); a run
may take half a second of CPU time, a second of any time there. A run's time includes the child's start, once
in 200 runs, and runs that take too long; no other solver is asked.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import resource
import time
from collections import Counter
from statistics import median

from falsum.api.fuzzer import Fuzzer
from falsum.api.settings import Settings
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

REFERENCE = 33.0


def cpu(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def measure(name: str, theory: str, runs: int) -> None:
    solver = resolve(name, Zoo())
    settings = Settings(theories=(theory,), compare=0)
    words: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    seconds: list[float] = []
    before = cpu(resource.RUSAGE_SELF), cpu(resource.RUSAGE_CHILDREN), time.monotonic()
    with Fuzzer(solver, settings) as fuzzer:
        for number in range(runs):
            outcome = fuzzer.run(number)
            words.update(step.line.word for step in outcome.trace.steps)
            endings[str(outcome.ending)] += 1
            seconds.append(outcome.seconds)
            verdicts.update(outcome.verdicts)
    own = (cpu(resource.RUSAGE_SELF) - before[0]) * 1000 / runs
    library = (cpu(resource.RUSAGE_CHILDREN) - before[1]) * 1000 / runs
    wall = (time.monotonic() - before[2]) * 1000 / runs
    print(
        f"{name}: {own + library:.1f} ms CPU a run ({own:.1f} falsum, {library:.1f} library; "
        f"Murxla {REFERENCE:.0f}), {wall:.1f} ms wall, median {median(seconds) * 1000:.1f}; "
        f"{sum(words.values()) / runs:.0f} lines, {words['assert'] / runs:.1f} asserts, "
        f"{words['check'] / runs:.1f} checks a run"
    )
    print(f"    {dict(verdicts)} {dict(endings)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--solver", action="append")
    parser.add_argument("--theory", default="bitvectors")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--profile", action="store_true", help="where falsum's own time goes")
    given = parser.parse_args()
    for name in given.solver or ["bitwuzla", "z3", "cvc5"]:
        if given.profile:
            profile = cProfile.Profile()
            profile.runcall(measure, name, given.theory, given.runs)
            pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        else:
            measure(name, given.theory, given.runs)


if __name__ == "__main__":
    main()
