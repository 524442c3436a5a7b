"""Mutants per hour and per CPU second in comparison with yinyang: one core, same seeds, programs and time
limit.

YINYANG_BIN is the bin folder of an environment with yinyang 0.3.0. Of SEEDS the scripts under 3 kB are taken.
Both tools get z3 of falsum's environment and cvc5 from PATH with the same flags. That cvc5 is started for
every call, so falsum is measured a second time with the cvc5 library of its own environment, which stays
warm.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.campaign.fuzz_process import fuzz, on_core
from bench.command import command_parser

LIMIT = 2
# As falsum calls them; yinyang's usual self-checks (model_validate, --check-models) would slow down only
# yinyang.
Z3_FLAGS, CVC5_FLAGS = "-smt2", "--quiet --lang=smt2"
LONGEST = 3000
CORE = 0


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.yinyang", __doc__)
    made.add_argument("tools", type=Path, metavar="YINYANG_BIN", help="folder with yinyang's programs")
    made.add_argument("corpus", type=Path, metavar="SEEDS", help="directory of .smt2 scripts")
    made.add_argument(
        "seconds", type=float, nargs="?", default=120.0, metavar="SECONDS", help="per tool (default 120)"
    )
    made.add_argument(
        "strategy", nargs="?", default="opfuzz", metavar="STRATEGY", help="strategy (default opfuzz)"
    )
    return made


def main() -> None:
    given = parser().parse_args()
    tools, corpus, seconds, strategy = given.tools, given.corpus, given.seconds, given.strategy
    z3, cvc5 = str(Path(sys.executable).parent / "z3"), shutil.which("cvc5") or "cvc5"
    with tempfile.TemporaryDirectory() as home:
        seeds = Path(home, "seeds")
        seeds.mkdir()
        files = sorted(file for file in corpus.rglob("*.smt2") if file.stat().st_size < LONGEST)
        for number, file in enumerate(files):
            shutil.copy(file, seeds / f"{number}-{file.name}")
        print(f"{len(files)} seeds, {seconds:.0f} s each, limit {LIMIT} s, load {os.getloadavg()[0]:.1f}")
        theirs = yinyang(tools / strategy, seeds, seconds, f"{z3} {Z3_FLAGS};{cvc5} {CVC5_FLAGS}")
        same = falsum(home, seeds, seconds, strategy, (z3, cvc5))
        warm = falsum(home, seeds, seconds, strategy, ("z3", "cvc5"))
    for name, ours in (("same programs", same), ("cvc5 as a warm library", warm)):
        print(f"{name}: {ours[0] / theirs[0]:.1f} times yinyang's mutants per hour", end=", ")
        print(f"{ours[1] / theirs[1]:.1f} times per CPU second")


def yinyang(tool: Path, seeds: Path, seconds: float, solvers: str) -> tuple[float, float]:
    """Mutants per hour and per CPU second of yinyang and its solvers."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    run = subprocess.Popen(
        [*on_core(CORE), str(tool), "-i", "5", "-t", str(LIMIT), solvers, str(seeds)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=seeds.parent,
    )
    try:
        output, _ = run.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        run.send_signal(2)
        output, _ = run.communicate()
    elapsed = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    # It reports its calls, one for each of the two solvers.
    calls = [int(number) for number in re.findall(r"Performed (\d+) solver calls", output)]
    mutants = max(calls, default=0) // 2
    return report("yinyang", mutants, elapsed, cpu)


def falsum(
    home: str, seeds: Path, seconds: float, strategy: str, solvers: tuple[str, str]
) -> tuple[float, float]:
    """Mutants per hour and per CPU second of falsum and all its processes."""
    names = [word for solver in solvers for word in ("--solver", solver)]
    limits = ("--timeout", str(LIMIT), "--jobs", "1", "--rng", "1", "--strategy", strategy)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    end = fuzz(
        f"{home}/out-{len(solvers[1])}", str(seeds), *names, *limits, "--for", f"{seconds}s", core=CORE
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"   of solver time in time-outs: {end['timeout_share']:.0%}")
    print(f"   of CPU inside solvers: {end['inside_solvers']:.0%}")
    return report("falsum", end["mutants"], end["elapsed"], max(cpu, end["solver_cpu"] + end["own_cpu"]))


def report(name: str, mutants: int, elapsed: float, cpu: float) -> tuple[float, float]:
    print(f"{name}: {mutants} mutants in {elapsed:.0f} s and {cpu:.0f} s CPU")
    return max(1, mutants) / elapsed, max(1, mutants) / cpu


if __name__ == "__main__":
    main()
