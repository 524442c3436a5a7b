"""Mutants per CPU second in comparison with yinyang: same seeds, programs, time limit and CPU time, in turn.

YINYANG_BIN is the bin folder of an environment with yinyang 0.3.0. Of SEEDS scripts under 3 kB are taken: for
typefuzz those that do not end it, for fusion those that z3 calls sat. Both tools get z3 of falsum's
environment and cvc5 from PATH with the same flags. falsum runs the one strategy, compares the two solvers and
nothing else. Like yinyang it gives every seed the same share; with `--schedule learn`, its default otherwise,
it stays longer with quick ones.

A tool that gives up sooner makes more mutants, so calls that a solver answers (no time-out, no error) are
counted as well. Rounds are run in alternating order; ratios are those of the medians.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.campaign.fuzz_process import CODE
from bench.campaign.sides import by_status, survived
from bench.command import command_parser

from falsum.solvers.supervision import cpu_limit

LIMIT = "2"
# As falsum calls them; yinyang's usual self-checks (model_validate, --check-models) would slow down only
# yinyang.
Z3_FLAGS, CVC5_FLAGS = "-smt2", "--quiet --lang=smt2"
LONGEST = 3000
ITERATIONS = "20"  # with each seed
MOST_STARTS = 20
TOOLS = {"opfuzz": "opfuzz", "typefuzz": "typefuzz", "yinyang": "fusion"}  # with the strategy of falsum
_CALLS = re.compile(r"Performed (\d+) solver calls \([^)]*?eff: ([0-9.]+)%")
_ANSWERED = ("sat", "unsat", "unknown")


@dataclass(frozen=True, slots=True)
class Rate:
    """Mutants and answered calls per CPU second."""

    mutants: float
    answered: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """One tool of yinyang and the strategy of falsum that does the same, on the same seeds."""

    tool: Path
    seeds: tuple[Path, ...]
    programs: tuple[str, str]
    cpu: float
    schedule: str

    def yinyang(self, folder: Path) -> Rate:
        oracle = ("-o", "sat") if self.tool.name == "yinyang" else ()
        solvers = f"{self.programs[0]} {Z3_FLAGS};{self.programs[1]} {CVC5_FLAGS}"
        files = [str(seed) for seed in self.seeds]
        command = (str(self.tool), *oracle, "-i", ITERATIONS, "-t", LIMIT, "-n", solvers, *files)
        used, calls, answered = 0.0, 0, 0.0
        for start in range(MOST_STARTS):  # it ends when it has seen all seeds
            if used > 0.95 * self.cpu:
                break
            place = folder / str(start)
            place.mkdir()
            used += cpu_limit.run(command, self.cpu - used, place, elapsed=20 * self.cpu)
            shown = _CALLS.findall((place / "output.txt").read_text(errors="replace"))
            now, share = (int(shown[-1][0]), float(shown[-1][1]) / 100) if shown else (0, 0.0)
            calls, answered = calls + now, answered + now * share
        return Rate(calls / 2 / used, answered / used)  # two calls a mutant, one for each solver

    def falsum(self, folder: Path) -> Rate:
        files = [str(seed) for seed in self.seeds]
        solvers = [word for program in self.programs for word in ("--solver", program)]
        fixed = ("--timeout", LIMIT, "--jobs", "1", "--rng", "1", "--no-engines", "--no-triage", "--json")
        strategy = ("--strategy", TOOLS[self.tool.name], "--schedule", self.schedule)
        visits = ("--models", "0", "--per-visit", ITERATIONS)
        command = (sys.executable, "-c", CODE, "fuzz", *files, *solvers, *fixed, *strategy, *visits)
        used = cpu_limit.run((*command, "--out", "out"), self.cpu, folder, elapsed=20 * self.cpu)
        end = _last_event(folder / "output.txt")
        answered = sum(said.get(word, 0) for said in end["said"].values() for word in _ANSWERED)
        return Rate(end["mutants"] / used, answered / used)


def _last_event(output: Path) -> dict[str, Any]:
    lines = output.read_text(errors="replace").splitlines()
    events = [json.loads(line) for line in lines if line.startswith("{")]
    return next(event for event in reversed(events) if "said" in event)


def seeds_of(tool: Path, files: list[Path], count: int) -> tuple[Path, ...]:
    """Seeds for a tool, evenly from all files."""
    some = tuple(files[:: max(1, len(files) // (4 * count))])
    if tool.name == "typefuzz":
        some = survived(tool, some)
    elif tool.name == "yinyang":
        some = by_status(some, "z3")[0]
    return some[:: max(1, len(some) // count)][:count]


def compare(comparison: Comparison, rounds: int) -> None:
    sides = {"yinyang": comparison.yinyang, "falsum": comparison.falsum}
    rates: dict[str, list[Rate]] = {name: [] for name in sides}
    for number in range(rounds):
        for name in sorted(sides, reverse=bool(number % 2)):
            with tempfile.TemporaryDirectory() as folder:
                rate = sides[name](Path(folder))
            rates[name].append(rate)
            print(
                f"  {name}: {rate.mutants:.1f} mutants, {rate.answered:.1f} answered calls per CPU second",
                flush=True,
            )
    for what in ("mutants", "answered"):
        ours, theirs = (
            statistics.median(getattr(rate, what) for rate in rates[name]) for name in ("falsum", "yinyang")
        )
        words = "mutants" if what == "mutants" else "answered calls"
        print(f"{comparison.tool.name}: {ours / max(theirs, 1e-9):.1f} times its {words} per CPU second")


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.campaign.yinyang", __doc__)
    made.add_argument("tools", type=Path, metavar="YINYANG_BIN", help="folder with yinyang's programs")
    made.add_argument("corpus", type=Path, metavar="SEEDS", help="directory of .smt2 scripts")
    made.add_argument("--tool", action="append", choices=tuple(TOOLS), help="one of its tools (default: all)")
    made.add_argument(
        "--cpu", type=float, default=60.0, metavar="S", help="CPU seconds of a run (default 60)"
    )
    made.add_argument("--rounds", type=int, default=3, metavar="N", help="rounds (default 3)")
    made.add_argument(
        "--schedule", choices=("even", "learn"), default="even", help="falsum's schedule (default even)"
    )
    made.add_argument("--seeds", type=int, default=60, metavar="N", help="seeds at most (default 60)")
    return made


def main() -> None:
    args = parser().parse_args()
    programs = (str(Path(sys.executable).parent / "z3"), shutil.which("cvc5") or "cvc5")
    files = sorted(file for file in args.corpus.absolute().rglob("*.smt2") if file.stat().st_size < LONGEST)
    for name in args.tool or TOOLS:
        tool = args.tools.absolute() / name
        seeds = seeds_of(tool, files, args.seeds)
        print(f"{name}: {len(seeds)} seeds, {args.cpu:.0f} CPU s a run, load {os.getloadavg()[0]:.1f}")
        compare(Comparison(tool, seeds, programs, args.cpu, args.schedule), args.rounds)


if __name__ == "__main__":
    main()
