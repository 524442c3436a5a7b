"""CPU time per run of `falsum api`, of falsum and of the library, with lines, assertions and checks per run.

The reference is Murxla, which takes about 33 ms of CPU time per run for bit-vectors, with 3 assertions and 1
check in the median: 11 ms of its own, and the rest for z3's program, which it starts for every run. Here z3's
program is measured on a script of that size before and after, to tell how fast the machine is. The time of a
run includes its share of the child's start, and runs that reach their limit (0.3 s of CPU time). No other
solver is asked. All figures are means, except for the median of the elapsed time.

With `--against`, another checkout is measured in turns with this one. The ratio is that of the CPU time per
check, since a checkout may have runs that do nothing and cost nothing.

falsum and the child share one core, as in a campaign that uses all cores; waking an idle core for each answer
would cost a tenth more.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import re
import resource
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import median

from bench.command import command_parser

from falsum.api.fuzzer import Fuzzer
from falsum.api.model.settings import Settings
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

LIBRARIES = ("bitwuzla", "z3", "cvc5")
REFERENCE = 33.0
# CPU time and checks per run, as `measure` prints them.
PER_RUN = re.compile(r"([\d.]+) ms CPU (?:per|a) run .* ([\d.]+) checks (?:per|a) run")
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


def program_milliseconds() -> float:
    """CPU milliseconds of z3's program for one script."""
    release = resolve("z3", Zoo()).release
    if release is None or release.program is None:
        raise SystemExit("z3 is not installed as a program")
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
        f"{name}: {own + library:.1f} ms CPU per run ({own:.1f} falsum, {library:.1f} library; "
        f"Murxla {REFERENCE:.0f}), {wall:.1f} ms elapsed, median {median(seconds) * 1000:.1f}; "
        f"{sum(words.values()) / runs:.0f} lines, {words['assert'] / runs:.1f} asserts, "
        f"{words['check'] / runs:.1f} checks per run"
    )
    print(f"    {dict(verdicts)} {dict(endings)}")


def compare(checkout: Path, args: argparse.Namespace) -> None:
    """Measure this checkout and another one in turns; print the CPU time per check of both, and the ratio."""
    here = Path(__file__).parents[2]
    times: dict[tuple[str, Path], list[float]] = {}
    for round_number in range(args.rounds):
        for name in args.solver or LIBRARIES:
            for root in (checkout, here) if round_number % 2 else (here, checkout):
                is_old = not (root / "bench" / "library").exists()  # where it has another name
                module = "bench.api_rate" if is_old else "bench.library.rate"
                argv = [sys.executable, "-m", module, "--solver", name]
                argv += ["--theory", args.theory, "--runs", str(args.runs)]
                paths = os.pathsep.join((str(root / "src"), str(root)))
                env = os.environ | {"PYTHONPATH": paths}
                result = subprocess.run(
                    argv, cwd=root, env=env, stdout=subprocess.PIPE, text=True, check=True
                )
                match = PER_RUN.search(result.stdout)
                assert match is not None, result.stdout
                times.setdefault((name, root), []).append(float(match[1]) / float(match[2]))
    for name in args.solver or LIBRARIES:
        old, new = median(times[name, checkout]), median(times[name, here])
        print(f"{name}: {old:.2f} ms per check there, {new:.2f} ms here: {new / old:.2f} times as much")


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.library.rate", __doc__)
    made.add_argument(
        "--solver", action="append", metavar="S", help="library (default: bitwuzla, z3 and cvc5)"
    )
    made.add_argument("--theory", default="bitvectors", metavar="T", help="theory (default bitvectors)")
    made.add_argument("--runs", type=int, default=300, metavar="N", help="runs per library (default 300)")
    made.add_argument("--against", type=Path, metavar="CHECKOUT", help="another checkout to compare with")
    made.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds with --against (default 3)")
    made.add_argument("--profile", action="store_true", help="print a profile of falsum's own time")
    return made


def main() -> None:
    args = parser().parse_args()
    if args.against is not None:
        compare(args.against.absolute(), args)
        return
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for name in args.solver or LIBRARIES:
        if args.profile:
            profile = cProfile.Profile()
            profile.runcall(measure, name, args.theory, args.runs)
            pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        else:
            first = program_milliseconds()
            measure(name, args.theory, args.runs)
            print(
                f"    z3's program on a script: {first:.1f} ms before, {program_milliseconds():.1f} ms after"
            )


if __name__ == "__main__":
    main()
