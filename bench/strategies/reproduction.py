"""Known bugs found again from their seeds, by strategy (Table V of ValFuzz, the reproduction experiment of
Sparrow).

KNOWN_BUGS has `bugs.tsv` with the triggers and seeds it names. Each strategy gets a number of iterations on
every seed of every bug, until the bug shows; an iteration of valfuzz is one enforcement with all that follows
from it, of any other strategy one mutant. With `--triggers` it starts from the triggers, as in the thesis.
Prints bugs and soundness bugs found, and both per 1,000 solver operations, with mean and deviation over the
repeats. An operation is a mutant put to the solvers, or a solver call of the strategy itself. By default all
configurations of valfuzz, all strategies and the rules of sparrow one by one are measured.
"""

from __future__ import annotations

import argparse
import dataclasses
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench.command import command_parser
from bench.known_bugs import Bug, CountingLab, iterations, lab_for, load, readable, shows

from falsum.errors import FalsumError, UsageError
from falsum.solvers.lab import Lab
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME, Seed, Strategy, find_strategy
from falsum.strategies.valfuzz import CONFIGURATIONS


class Result(NamedTuple):
    """The result of one run over all files."""

    found: frozenset[str]
    sound: frozenset[str]
    operations: int


def run(strategy: Strategy, bugs: Sequence[Bug], lab: Lab, options: Options, repeats: int) -> list[Result]:
    """The repeats for each file in turn, since a lab keeps only a few releases warm."""
    found: list[dict[str, bool]] = [{} for _ in range(repeats)]
    operations = [0] * repeats
    for bug in bugs:
        for number in range(repeats):
            for seed in bug.seeds if not options.triggers else (bug.trigger,):
                rng = Random(f"{number}:{seed.name}")
                spent, hit = attempt(strategy, bug, seed, lab, options, rng)
                operations[number] += spent
                if hit:
                    found[number][bug.name] = bug.is_soundness
                    break
    return [_result(some, spent) for some, spent in zip(found, operations, strict=True)]


def _result(found: dict[str, bool], operations: int) -> Result:
    sound = frozenset(name for name, is_soundness in found.items() if is_soundness)
    return Result(frozenset(found), sound, operations)


def attempt(
    strategy: Strategy, bug: Bug, seed: Seed, lab: Lab, options: Options, rng: Random
) -> tuple[int, bool]:
    """The number of operations on one file, and whether the bug was found."""
    others = [name for name in options.others if name != bug.newest.partition("@")[0]]
    asked = CountingLab(lab, tuple(dict.fromkeys((bug.newest, *others, bug.buggy))))
    tested = 0
    try:
        mutants = strategy.mutants(_with_partners(strategy, seed, bug), rng, asked)
        for mutant in iterations(iter(mutants), options.iterations):
            tested += 1
            if shows(bug, mutant.text, lab):
                return tested + asked.count, True
            if options.operations and tested + asked.count >= options.operations:
                break
    except FalsumError as error:
        print(f"{strategy.name} on {seed.name}: {error}", file=sys.stderr)
    return tested + asked.count, False


def _with_partners(strategy: Strategy, seed: Seed, bug: Bug) -> tuple[Seed, ...]:
    """As many seeds as the strategy takes: another seed of the bug, or the same one again."""
    partner = next((other for other in bug.seeds if other.name != seed.name and readable(other)), seed)
    return (seed, *([partner] * (strategy.arity - 1)))[: strategy.arity]


@dataclasses.dataclass(frozen=True, slots=True)
class Options:
    iterations: int
    triggers: bool
    others: tuple[str, ...]
    operations: int = 0  # the most operations per file; 0 for no limit


def _row(results: Sequence[Result]) -> str:
    counts = [[len(r.sound) for r in results], [len(r.found) for r in results]]
    rates = [
        [1000 * count / max(r.operations, 1) for count, r in zip(some, results, strict=True)]
        for some in counts
    ]
    ever = sorted(frozenset().union(*(r.found for r in results)))
    columns = f"{mean(counts[0]):>16}{mean(counts[1]):>16}{mean(rates[0]):>18}{mean(rates[1]):>16}"
    return f"{columns}  {' '.join(ever) or '-'}"


def mean(values: Sequence[float]) -> str:
    deviation = statistics.stdev(values) if len(values) > 1 else 0.0
    return f"{statistics.mean(values):6.2f} ± {deviation:5.2f}"


def _chosen(directory: Path, files: int, zoo: Zoo, *, triggers: bool) -> list[Bug]:
    """Bugs with readable seeds, evenly over the list."""
    bugs = []
    for bug in load(directory, zoo):
        seeds = tuple(seed for seed in bug.seeds if readable(seed))
        if readable(bug.trigger) and (seeds or triggers):
            bugs.append(dataclasses.replace(bug, seeds=seeds))
    if files and files < len(bugs):
        bugs = [bugs[i * len(bugs) // files] for i in range(files)]
    return bugs


def _strategies(configurations: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, Strategy]]:
    if not configurations and not names:
        configurations = tuple(CONFIGURATIONS)
        variants = ("sparrow:rules=pst", "sparrow:rules=lpi") if "sparrow" in BY_NAME else ()
        names = (*variants, *(name for name in BY_NAME if name != "valfuzz"))
    for name in configurations:
        if name not in CONFIGURATIONS:
            raise UsageError(f"unknown configuration {name!r}; known are {', '.join(CONFIGURATIONS)}")
        yield f"valfuzz {name}", CONFIGURATIONS[name]
    for name in names:
        yield name, find_strategy(name, BY_NAME)


def parser() -> argparse.ArgumentParser:
    made = command_parser("bench.strategies.reproduction", __doc__)
    made.add_argument("known_bugs", type=Path, metavar="KNOWN_BUGS", help="directory with bugs.tsv")
    made.add_argument(
        "--iterations", type=int, default=50, metavar="N", help="iterations per file (default 50)"
    )
    made.add_argument("--repeats", type=int, default=3, metavar="N", help="repeats (default 3)")
    made.add_argument(
        "--configuration", action="append", default=[], metavar="C", help="configuration of valfuzz"
    )
    made.add_argument("--strategy", action="append", default=[], metavar="S", help="NAME[:parameter=value,…]")
    made.add_argument("--files", type=int, default=0, metavar="N", help="number of bugs (default: all)")
    made.add_argument("--triggers", action="store_true", help="start from the triggers")
    made.add_argument(
        "--seconds", type=float, default=1.0, metavar="S", help="limit of a solver call (default 1)"
    )
    made.add_argument(
        "--other", action="append", metavar="S", help="additional solver (default: z3 and cvc5)"
    )
    return made


def main() -> None:
    args = parser().parse_args()
    iterations, repeats, triggers = args.iterations, args.repeats, args.triggers
    others = tuple(args.other or ("z3", "cvc5"))
    zoo = Zoo()
    options = Options(iterations, triggers, others)
    strategies = list(_strategies(args.configuration, args.strategy))
    bugs = _chosen(args.known_bugs, args.files, zoo, triggers=triggers)
    with lab_for(bugs, others, zoo, args.seconds) as lab:
        reproduced = [bug for bug in bugs if shows(bug, bug.trigger.text, lab)]
        sound = sum(bug.is_soundness for bug in reproduced)
        print(f"{len(reproduced)} of {len(bugs)} bugs show on their triggers, {sound} of them soundness")
        print(f"{iterations} iterations per file, {repeats} repeats; mean and deviation")
        print(f"{'strategy':22}{'soundness':>16}{'all':>16}{'soundness/1000':>18}{'all/1000':>16}  found")
        for name, strategy in strategies:
            start = time.monotonic()
            results = run(strategy, reproduced, lab, options, repeats)
            print(f"{name:22}{_row(results)} ({time.monotonic() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
