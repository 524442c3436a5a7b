"""Compares valfuzz with random constants on known bugs that depend on constants.

KNOWN_BUGS is as in `bench.strategies.reproduction`. A bug depends on its constants if its trigger shows it,
at most `--left` of ten uniformly random changes of all constants still show it, and one of its seeds differs
from the trigger in constants only and does not show it. Every run starts from such seeds and counts the bugs
it finds within a number of solver operations each (a mutant put to the solvers, or a solver call of the
strategy). The counts are compared with those of the baseline by the one-sided Mann-Whitney U test (needs
scipy).
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

from bench.command import command_parser
from bench.known_bugs import Bug, lab_for, load, readable, shows
from bench.significance import mann_whitney
from bench.strategies.reproduction import Options, attempt

from falsum.solvers.lab import Lab
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Seed
from falsum.strategies.valfuzz import CONFIGURATIONS
from falsum.strategies.valfuzz.holes import Skeleton

_SAMPLES = 10


def depends_on_constants(bug: Bug, lab: Lab, left: int) -> bool:
    """Whether random changes of its constants hide a bug that its trigger shows."""
    if not shows(bug, bug.trigger.text, lab):
        return False
    changed = list(islice(_changes(bug, 0), _SAMPLES))
    return bool(changed) and sum(shows(bug, text, lab) for text in changed) <= left


def _changes(bug: Bug, number: int) -> Iterator[str]:
    """Uniformly random changes of a trigger's constants."""
    mutants = CONFIGURATIONS["rbase"].mutants((bug.trigger,), Random(f"{number}:{bug.name}"), None)
    return (mutant.text for mutant in mutants)


def hidden(bug: Bug, lab: Lab) -> list[Seed]:
    """The seeds of a bug that differ from its trigger in constants only."""
    opened = _opened(bug.trigger)
    return [
        seed
        for seed in bug.seeds
        if opened and readable(seed) and _opened(seed) == opened and not shows(bug, seed.text, lab)
    ]


def _opened(seed: Seed) -> str:
    skeleton = Skeleton.of(seed.script)
    return skeleton.opened if skeleton is not None else ""


def runs_of(bugs: Sequence[Bug], name: str, count: int, lab: Lab, options: Options) -> list[set[str]]:
    """The bugs that each run finds; bug by bug, since a lab keeps only a few releases warm."""
    found: list[set[str]] = [set() for _ in range(count)]
    for bug in bugs:
        for number in range(count):
            rng = Random(f"{number}:{name}:{bug.name}")
            seed = bug.seeds[number % len(bug.seeds)]
            if attempt(CONFIGURATIONS[name], bug, seed, lab, options, rng)[1]:
                found[number].add(bug.name)
    return found


def chosen(
    directory: Path, names: Sequence[str], most: int, product: str, left: int, zoo: Zoo, options: Options
) -> list[Bug]:
    """The named bugs, or the first ones that depend on their constants."""
    bugs = [
        bug
        for bug in load(directory, zoo)
        if readable(bug.trigger) and bug.buggy.startswith(product) and (not names or bug.name in names)
    ]
    found: list[Bug] = []
    with lab_for(bugs, options.others, zoo, 1.0) as lab:
        for bug in bugs:
            if len(found) == most:
                break
            seeds = hidden(bug, lab)
            if seeds and depends_on_constants(bug, lab, left):
                found.append(replace(bug, seeds=tuple(seeds)))
    return found


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.strategies.valfuzz_bugs", __doc__)
    made.add_argument("known_bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    made.add_argument("--runs", type=int, default=30, metavar="N", help="runs (default 30)")
    made.add_argument(
        "--operations", type=int, default=60, metavar="N", help="operations per bug (default 60)"
    )
    made.add_argument(
        "--configuration", action="append", metavar="C", help="default: blendb, default, rcorner"
    )
    made.add_argument("--baseline", default="rbase", metavar="C", help="configuration (default rbase)")
    made.add_argument("--bug", action="append", default=[], metavar="NAME", help="only this bug")
    made.add_argument("--most", type=int, default=12, metavar="N", help="number of bugs (default 12)")
    made.add_argument(
        "--left", type=int, default=2, metavar="N", help="changes that may show the bug (default 2)"
    )
    made.add_argument("--product", default="", metavar="P", help="only bugs of this product")
    made.add_argument(
        "--seconds", type=float, default=1.0, metavar="S", help="limit of a solver call (default 1)"
    )
    return made


def main() -> None:
    args = parser().parse_args()
    runs, operations, baseline = args.runs, args.operations, args.baseline
    configurations = args.configuration or ("blendb", "default", "rcorner")
    zoo = Zoo()
    options = Options(operations, triggers=False, others=("z3",), operations=operations)
    bugs = chosen(args.known_bugs, args.bug, args.most, args.product, args.left, zoo, options)
    print(f"{len(bugs)} bugs depend on their constants: {' '.join(bug.name for bug in bugs)}")
    counts: dict[str, list[int]] = {}
    with lab_for(bugs, options.others, zoo, args.seconds) as lab:
        for name in (baseline, *(c for c in configurations if c != baseline)):
            start = time.monotonic()
            results = runs_of(bugs, name, runs, lab, options)
            counts[name] = [len(found) for found in results]
            each = " ".join(f"{bug.name}:{sum(bug.name in found for found in results)}" for bug in bugs)
            spread = statistics.stdev(counts[name]) if runs > 1 else 0.0
            print(f"{name:12}{statistics.mean(counts[name]):6.2f} ± {spread:4.2f} bugs per run", end="  ")
            if name != baseline:
                statistic, p = mann_whitney(counts[name], counts[baseline], "greater")
                print(f"U = {statistic:.0f}, p = {p:.2g}", end="  ")
            print(f"({time.monotonic() - start:.0f} s)\n    found in runs: {each}")
            print(f"    counts: {counts[name]}", flush=True)


if __name__ == "__main__":
    main()
