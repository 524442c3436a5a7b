"""Known bugs found again, strategy by strategy (ValFuzz's Table V, Sparrow's reproduction experiment).

    python -m bench.reproduction KNOWN_BUGS --iterations 50 --repeats 30 --configuration blendb
        --strategy sparrow:rules=pst --strategy opfuzz --files 20 [--triggers]

So many iterations on every seed of every bug (an iteration of valfuzz is one enforcement and what comes of
it, of any other strategy one mutant), until the bug shows; with `--triggers` on the triggering scripts
themselves, as the thesis does. Gives bugs and soundness bugs found, and both per 1,000 solver operations,
mean and deviation over the repeats. An operation is a mutant put to the solvers, or a question that the
strategy asks on its own.
Without `--configuration` and `--strategy`: all configurations of valfuzz, all strategies, and sparrow's rules
one by one.
"""

from __future__ import annotations

import dataclasses
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import click
from bench.known_bugs import Asked, Bug, iterations, lab_for, load, readable, shows

from falsum.errors import FalsumError, UsageError
from falsum.solvers.lab import Lab
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME, Seed, Strategy
from falsum.strategies.compose import find
from falsum.strategies.valfuzz import CONFIGURATIONS


class Result(NamedTuple):
    """What one run over all files came to."""

    found: frozenset[str]
    sound: frozenset[str]
    operations: int


def strategy_of(name: str) -> Strategy:
    """A strategy by its name, `name:field=value,…` for one with other parameters."""
    plain, _, settings = name.partition(":")
    strategy = find(plain, BY_NAME)
    for setting in filter(None, settings.split(",")):
        key, _, value = setting.partition("=")
        old = getattr(strategy, key, None)
        if old is None:
            raise UsageError(f"{plain} has no parameter {key!r}")
        strategy = dataclasses.replace(strategy, **{key: _value(value, old)})  # type: ignore[type-var]
    return strategy


def _value(text: str, old: Any) -> Any:
    """A parameter's value, of the kind it has: `a/b` for a tuple of words."""
    if isinstance(old, bool):
        return text.lower() in ("1", "true", "yes")
    return tuple(text.split("/")) if isinstance(old, tuple) else type(old)(text)


def run(strategy: Strategy, bugs: Sequence[Bug], lab: Lab, options: Options, repeats: int) -> list[Result]:
    """So many runs over all files; file after file, since a lab keeps few releases warm at once."""
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
    """Operations spent on one file, and whether the bug was found."""
    others = [name for name in options.others if name != bug.newest.partition("@")[0]]
    asked = Asked(lab, tuple(dict.fromkeys((bug.newest, *others, bug.buggy))))
    tested = 0
    try:
        made = strategy.mutants(_with_partners(strategy, seed, bug), rng, asked)
        for mutant in iterations(iter(made), options.iterations):
            tested += 1
            if shows(bug, mutant.text, lab):
                return tested + asked.count, True
            if options.operations and tested + asked.count >= options.operations:
                break
    except FalsumError as error:
        print(f"{strategy.name} on {seed.name}: {error}", file=sys.stderr)
    return tested + asked.count, False


def _with_partners(strategy: Strategy, seed: Seed, bug: Bug) -> tuple[Seed, ...]:
    """As many seeds as the strategy takes; a partner is another seed of the bug, else the same."""
    partner = next((other for other in bug.seeds if other.name != seed.name and readable(other)), seed)
    return (seed, *([partner] * (strategy.arity - 1)))[: strategy.arity]


@dataclasses.dataclass(frozen=True, slots=True)
class Options:
    iterations: int
    triggers: bool
    others: tuple[str, ...]
    operations: int = 0  # at most so many; 0 for any number


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
    """The bugs whose seeds we read, spread over the list."""
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
        yield name, strategy_of(name)


@click.command(help=__doc__)
@click.argument("known_bugs", type=click.Path(path_type=Path, exists=True))
@click.option("--iterations", default=50)
@click.option("--repeats", default=3)
@click.option("--configuration", "configurations", multiple=True)
@click.option("--strategy", "names", multiple=True)
@click.option("--files", default=0, help="So many bugs only; 0 for all.")
@click.option("--triggers", is_flag=True, help="Start from the triggers, as the thesis does.")
@click.option("--seconds", default=1.0, help="For one question to a solver.")
@click.option("--other", "others", multiple=True, default=("z3", "cvc5"), help="More solvers to ask.")
def main(
    known_bugs: Path,
    iterations: int,
    repeats: int,
    configurations: tuple[str, ...],
    names: tuple[str, ...],
    files: int,
    triggers: bool,
    seconds: float,
    others: tuple[str, ...],
) -> None:
    zoo = Zoo()
    options = Options(iterations, triggers, others)
    strategies = list(_strategies(configurations, names))
    bugs = _chosen(known_bugs, files, zoo, triggers=triggers)
    with lab_for(bugs, others, zoo, seconds) as lab:
        reproduced = [bug for bug in bugs if shows(bug, bug.trigger.text, lab)]
        sound = sum(bug.is_soundness for bug in reproduced)
        print(f"{len(reproduced)} of {len(bugs)} bugs show on their triggers, {sound} of them soundness")
        print(f"{iterations} iterations a file, {repeats} repeats; mean and deviation")
        print(f"{'strategy':22}{'soundness':>16}{'all':>16}{'soundness/1000':>18}{'all/1000':>16}  found")
        for name, strategy in strategies:
            started = time.monotonic()
            results = run(strategy, reproduced, lab, options, repeats)
            print(f"{name:22}{_row(results)} ({time.monotonic() - started:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
