"""Compares two checkouts of falsum: the mutants they make, and the CPU time they take for the same work.

Mutants must be equal for equal seeds, strategies and `--rng`. CPU times are those of the whole process tree,
measured alternately over several rounds; the ratio is that of the medians.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.command import command_parser

from falsum.strategies import BY_NAME

SEEDS = Path(__file__).parents[1] / "src" / "falsum" / "seeds"
# A few scripts of each of these logics are enough to exercise every strategy and theory.
LOGICS = "QF_LIA QF_BV QF_AUFBV QF_S QF_FP QF_UFLIA QF_NRA QF_DT LIA BV ALL".split()
WITHOUT_SEEDS = ("generate", "enumerate")
REDUCED = """(set-logic QF_LIA)
(declare-const a Int) (declare-const b Int) (declare-const c Int) (declare-const p Bool)
(assert (and (> (+ a (* 2 b)) (ite p c 17)) (or p (< c (- a b 3)) (= (mod a 7) 3))))
(assert (=> p (distinct a b c (+ c 1))))
(assert (not (= (+ a b c) 123)))
(check-sat)
"""


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.checkouts", __doc__)
    made.add_argument("old", type=Path, metavar="OLD", help="the falsum program of one environment")
    made.add_argument("new", type=Path, metavar="NEW", help="the falsum program of the other environment")
    made.add_argument(
        "--mutants", type=int, default=1000, metavar="N", help="mutants to compare (default 1,000)"
    )
    made.add_argument(
        "--rounds", type=int, default=5, metavar="N", help="rounds of measuring times (default 5)"
    )
    return made


def main() -> int:
    arguments = parser().parse_args()
    programs = [path.absolute() for path in (arguments.old, arguments.new)]
    differing = compare_mutants(programs, arguments.mutants)
    compare_times(programs, arguments.rounds)
    return 1 if differing else 0


def compare_mutants(programs: list[Path], count: int) -> int:
    """Print the numbers of different mutants by strategy; returns their sum."""
    each = -(-count // len(BY_NAME))
    total = 0
    print(f"{'strategy':10} {'compared':>8} {'differ':>6}")
    for strategy in BY_NAME:
        seeds = [] if strategy in WITHOUT_SEEDS else some_seeds()
        rounds = -(-each // (len(seeds) or each))
        made = [mutants(program, strategy, seeds, rounds if seeds else each) for program in programs]
        names = sorted(made[0].keys() | made[1].keys())
        different = [name for name in names if made[0].get(name) != made[1].get(name)]
        total += len(different)
        print(f"{strategy:10} {len(names):8} {len(different):6}  {' '.join(different[:3])}", flush=True)
    return total


def some_seeds() -> list[str]:
    """Paths relative to the bundled seeds, so that names do not depend on the checkout."""
    return [
        path.relative_to(SEEDS).as_posix()
        for logic in LOGICS
        for path in sorted((SEEDS / logic).glob("*.smt2"))[:4]
    ]


def mutants(program: Path, strategy: str, seeds: list[str], count: int) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as out:
        command = [program, "mutate", *seeds, "--strategy", strategy, "--count", str(count), "--rng", "7"]
        if seeds:
            command += ["--solver", "z3"]
        result = subprocess.run(
            [*map(str, command), "--out", out], cwd=SEEDS, capture_output=True, text=True, check=False
        )
        if result.returncode:
            print(result.stderr, file=sys.stderr)
        return {path.name: path.read_text() for path in sorted(Path(out).glob("*.smt2"))}


def compare_times(programs: list[Path], rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "script.smt2")
        script.write_text(REDUCED)
        predicate = Path(folder, "predicate.sh")
        predicate.write_text('#!/bin/sh\ngrep -q mod "$1" && grep -q check-sat "$1"\n')
        predicate.chmod(0o755)
        jobs = {
            "start": ["--version"],
            "read": ["check", str(SEEDS)],
            "mutate": ["mutate", str(SEEDS / "QF_BV"), "--strategy", "typefuzz", "--count", "100"],
            "rewrite": ["mutate", str(SEEDS / "QF_LIA"), "--strategy", "rewrite", "--count", "40"],
            "fuzz": ["fuzz", "--count", "200", "-j", "1", "--rng", "3", "--no-triage"],
            "reduce": ["reduce", str(script), "--command", str(predicate)],
            "api": ["api", "-s", "bitwuzla", "--count", "50", "-j", "1", "--rng", "3"],
        }
        print(f"{'job':10} {'old s':>8} {'new s':>8} {'ratio':>6}")
        for name, job in jobs.items():
            times: list[list[float]] = [[], []]
            for turn in range(rounds):
                order = (0, 1) if turn % 2 == 0 else (1, 0)
                for which in order:
                    times[which].append(cpu_seconds(programs[which], job, folder))
            old, new = map(statistics.median, times)
            print(f"{name:10} {old:8.2f} {new:8.2f} {new / old:6.2f}", flush=True)


def cpu_seconds(program: Path, job: list[str], folder: str) -> float:
    """CPU time of the program and all its children."""
    out = tempfile.mkdtemp(dir=folder)
    more = ["--out", out] if job[0] in ("fuzz", "api") else []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(
        [str(program), *job, *more], capture_output=True, check=False, cwd=out, env=dict(os.environ)
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode not in (0, 1):
        print(result.stderr.decode(errors="replace"), file=sys.stderr)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())
