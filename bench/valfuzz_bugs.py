"""Does coercion lead back to bugs that hang on constants? Valfuzz against random constants.

    python -m bench.valfuzz_bugs KNOWN_BUGS --runs 30 --operations 60 [--bug NAME…] [--most 12] [--product z3]

A bug hangs on its constants if its trigger shows it, of ten uniformly random changes of all constants at most
`--left` still do, and one of its seeds differs from the trigger in constants only and does not show it. Every
run starts from such seeds and counts the bugs it finds again with so many solver operations for each (a
mutant put to the solvers, or a question of the strategy's own; coercion gets no more than chance does). The
counts of the runs are compared with the baseline's by the Mann-Whitney U test, one-sided (needs scipy, which
only this bench uses).
"""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import click
from bench.known_bugs import Bug, lab_for, load, readable, shows
from bench.reproduction import Options, attempt

from falsum.solvers.lab import Lab
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Seed
from falsum.strategies.valfuzz import CONFIGURATIONS
from falsum.strategies.valfuzz.holes import Skeleton

_SAMPLES = 10


def hangs_on_constants(bug: Bug, lab: Lab, left: int) -> bool:
    """Whether random changes of its constants hide a bug that its trigger shows."""
    if not shows(bug, bug.trigger.text, lab):
        return False
    changed = list(islice(_changes(bug, 0), _SAMPLES))
    return bool(changed) and sum(shows(bug, text, lab) for text in changed) <= left


def _changes(bug: Bug, number: int) -> Iterator[str]:
    """Uniformly random changes of a trigger's constants."""
    made = CONFIGURATIONS["rbase"].mutants((bug.trigger,), Random(f"{number}:{bug.name}"), None)
    return (mutant.text for mutant in made)


def hidden(bug: Bug, lab: Lab) -> list[Seed]:
    """The seeds of a bug that have other constants than its trigger, and no other difference."""
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
    """The bugs that each run finds again; bug after bug, since a lab keeps few releases warm at once."""
    found: list[set[str]] = [set() for _ in range(count)]
    for bug in bugs:
        for number in range(count):
            rng = Random(f"{number}:{name}:{bug.name}")
            seed = bug.seeds[number % len(bug.seeds)]
            if attempt(CONFIGURATIONS[name], bug, seed, lab, options, rng)[1]:
                found[number].add(bug.name)
    return found


def probability(mine: Sequence[int], baseline: Sequence[int]) -> str:
    """U and the one-sided p of the Mann-Whitney test that mine are larger."""
    try:
        stats = importlib.import_module("scipy.stats")
    except ImportError:
        return "no scipy: no test"
    result = stats.mannwhitneyu(mine, baseline, alternative="greater")
    return f"U = {result.statistic:.0f}, p = {result.pvalue:.2g}"


def chosen(
    directory: Path, names: Sequence[str], most: int, product: str, left: int, zoo: Zoo, options: Options
) -> list[Bug]:
    """The bugs named, or the first so many that hang on their constants."""
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
            if seeds and hangs_on_constants(bug, lab, left):
                found.append(replace(bug, seeds=tuple(seeds)))
    return found


@click.command(help=__doc__)
@click.argument("known_bugs", type=click.Path(path_type=Path, exists=True))
@click.option("--runs", default=30)
@click.option("--operations", default=60)
@click.option("--configuration", "configurations", multiple=True, default=("blendb", "default", "rcorner"))
@click.option("--baseline", default="rbase")
@click.option("--bug", "names", multiple=True)
@click.option("--most", default=12)
@click.option("--left", default=2)
@click.option("--product", default="")
@click.option("--seconds", default=1.0, help="For one question to a solver.")
def main(
    known_bugs: Path,
    runs: int,
    operations: int,
    configurations: tuple[str, ...],
    baseline: str,
    names: tuple[str, ...],
    most: int,
    left: int,
    product: str,
    seconds: float,
) -> None:
    zoo = Zoo()
    options = Options(operations, triggers=False, others=("z3",), operations=operations)
    bugs = chosen(known_bugs, names, most, product, left, zoo, options)
    print(f"{len(bugs)} bugs hang on their constants: {' '.join(bug.name for bug in bugs)}")
    counts: dict[str, list[int]] = {}
    with lab_for(bugs, options.others, zoo, seconds) as lab:
        for name in (baseline, *(c for c in configurations if c != baseline)):
            started = time.monotonic()
            results = runs_of(bugs, name, runs, lab, options)
            counts[name] = [len(found) for found in results]
            each = " ".join(f"{bug.name}:{sum(bug.name in found for found in results)}" for bug in bugs)
            spread = statistics.stdev(counts[name]) if runs > 1 else 0.0
            print(f"{name:12}{statistics.mean(counts[name]):6.2f} ± {spread:4.2f} bugs a run", end="  ")
            if name != baseline:
                print(probability(counts[name], counts[baseline]), end="  ")
            print(f"({time.monotonic() - started:.0f} s)\n    found in runs: {each}")
            print(f"    counts: {counts[name]}", flush=True)


if __name__ == "__main__":
    main()
