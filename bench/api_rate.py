"""CPU time of a run of the API fuzzer, falsum's and the library's, with what a run does.

Run as `python -m bench.api_rate [--solver S…] [--theory T] [--runs N] [--profile]`. The reference is Murxla,
which takes about 33 ms of CPU a run for bit-vectors against a binary; its scripts have 3 asserts and 1 check
in the median. A run's time includes its share of the child's start and runs that take too long (0.3 s of CPU
here, a second there); no other solver is asked. Means, but for the wall time's median.

falsum and the child share one core, as they do where a campaign uses all of them: they take turns, and to
wake a core that has gone to sleep for each answer costs a tenth more. Of Murxla's 33 ms 11 are its own, the
others z3's program, which it starts for every run: what that takes is measured here, too, on a script of that
size, and tells how fast the machine is today.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import resource
import subprocess
import time
from collections import Counter
from statistics import median

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

REFERENCE = 33.0
STARTS = 40
SCRIPT = """\
(set-logic QF_BV)
(set-option :produce-models true)
(declare-const x0 (_ BitVec 16))
(declare-const x1 (_ BitVec 16))
(declare-const x2 (_ BitVec 8))
(declare-const x3 Bool)
(define-fun t0 () (_ BitVec 16) (bvadd x0 x1))
(define-fun t1 () (_ BitVec 16) (bvand t0 x1))
(define-fun t2 () Bool (bvult t1 x0))
(define-fun t3 () (_ BitVec 8) ((_ extract 7 0) t1))
(define-fun t4 () Bool (= t3 x2))
(define-fun t5 () Bool (bvsle x2 (bvnot t3)))
(assert t2)
(assert (or x3 t4))
(push 1)
(assert t5)
(check-sat)
(get-model)
(pop 1)
(exit)
"""


def cpu(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def start() -> float:
    """Milliseconds z3's program takes for one script."""
    release = resolve("z3", Zoo()).release
    if release is None or release.program is None:
        raise SystemExit("z3 has no program here")
    before = cpu(resource.RUSAGE_CHILDREN)
    for _ in range(STARTS):
        subprocess.run([release.program, "-in"], input=SCRIPT.encode(), stdout=subprocess.DEVNULL, check=True)
    return (cpu(resource.RUSAGE_CHILDREN) - before) * 1000 / STARTS


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
            endings[str(outcome.status)] += 1
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
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for name in given.solver or ["bitwuzla", "z3", "cvc5"]:
        if given.profile:
            profile = cProfile.Profile()
            profile.runcall(measure, name, given.theory, given.runs)
            pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        else:
            first = start()
            measure(name, given.theory, given.runs)
            print(f"    z3's program, 3 asserts and 1 check: {first:.1f} ms before, {start():.1f} after")


if __name__ == "__main__":
    main()
