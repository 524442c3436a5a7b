"""Grouping: large triggers of a few different bugs, reduced, judged and grouped: as many groups as bugs?

    python -m bench.grouping KNOWN_BUGS SEEDS --old z3@4.8.10.0 [--bugs 5] [--copies 4] [--size 5000]

The first bugs of the product in `bugs.tsv` (each of another cluster) that show on the old release against the
new one are each grown several times with assertions of different seeds; every one of these triggers is
reduced by itself.
"""

from __future__ import annotations

import csv
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import click
from bench.reduce_solvers import grown

from falsum.errors import FalsumError
from falsum.oracles.fingerprint import fingerprint
from falsum.oracles.grouping import Group, Member, grouped
from falsum.oracles.independence import product_of
from falsum.oracles.judge import judge
from falsum.reducer import Budget, reduce
from falsum.reducer.answers import AnswerPredicate, Kind
from falsum.smtlib import read_script
from falsum.smtlib.lexer import decode
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo

_SEEDS_FOR_ONE = 60


def different_bugs(folder: Path, product: str, only: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Name and trigger of bugs of a product that are probably different ones; or of those named."""
    clusters: set[str] = set()
    with (folder / "bugs.tsv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            fits = product in row["solver"] and row["tier"] == "1" and row["cluster"] not in clusters
            if row["id"] in only or (fits and not only):
                clusters.add(row["cluster"])
                yield row["id"], decode((folder / row["trigger"]).read_bytes())


def large(text: str, predicate: AnswerPredicate, seeds: Path, size: int, rng: Random) -> str:
    """The trigger grown with a random choice of seeds."""
    files = sorted(file for file in seeds.glob("**/*.smt2") if file.stat().st_size < size)
    with tempfile.TemporaryDirectory() as chosen:
        for number, file in enumerate(rng.sample(files, min(_SEEDS_FOR_ONE, len(files)))):
            Path(chosen, f"{number:03}.smt2").symlink_to(file.resolve())
        return grown(text, predicate, Path(chosen), size)


def small(
    name: str, text: str, solvers: list[Solver], jury: list[Solver], seconds: float, budget: Budget
) -> Member:
    """The trigger reduced and judged."""
    with AnswerPredicate(lambda limits: LiveLab(solvers, limits), text, Limits(seconds)) as predicate:
        result = reduce(read_script(text), predicate, budget=budget, confirm=predicate.cold)
    with LiveLab((*solvers, *jury), Limits(seconds)) as lab:
        judgement = judge(result.text, (solvers[0].name,), lab.solvers, lab)
        known_by = fingerprint(result.text, judgement, lab, (solvers[0].name,))
    click.echo(
        f"{name:24} {len(text):6} → {len(result.text):4} bytes {result.tests:5} tests  {known_by.signature}"
    )
    return Member(name, known_by, len(result.text))


def shown(groups: tuple[Group, ...]) -> None:
    for group in groups:
        names = Counter(member.name.partition("#")[0] for member in group.members)
        click.echo(
            f"group of {len(group.members)}: {dict(names)}; leader {group.leader.fingerprint.signature}"
        )


@click.command()
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@click.argument("seeds", type=click.Path(exists=True, path_type=Path))
@click.option("--old", default="z3@4.8.10.0", show_default=True)
@click.option("--new", default="z3", show_default=True)
@click.option("--jury", multiple=True, default=("cvc5",), show_default=True, help="Also heard by the judge.")
@click.option("--bugs", default=5, show_default=True)
@click.option("--copies", default=4, show_default=True)
@click.option("--size", default=5000, show_default=True, help="Bytes to grow to.")
@click.option("--only", multiple=True, help="These bugs and no others.")
@click.option("--timeout", default=4.0, show_default=True)
@click.option("--seconds", default=60.0, show_default=True, help="For one reduction.")
def main(
    folder: Path,
    seeds: Path,
    old: str,
    new: str,
    jury: tuple[str, ...],
    bugs: int,
    copies: int,
    size: int,
    only: tuple[str, ...],
    timeout: float,
    seconds: float,
) -> None:
    """Measure grouping."""
    zoo = Zoo()
    solvers = [resolve(name, zoo) for name in (old, new)]
    others = [resolve(name, zoo) for name in jury]
    members: list[Member] = []
    done: list[str] = []
    started = time.monotonic()
    for name, text in different_bugs(folder, product_of(old), only):
        if len(done) == bugs:
            break
        try:
            with AnswerPredicate(lambda some: LiveLab(solvers, some), text, Limits(timeout)) as predicate:
                if predicate.wanted.kind is Kind.VERDICTS:
                    continue
                texts = [large(text, predicate, seeds, size, Random(number)) for number in range(copies)]
            done.append(name)
            members += [
                small(f"{name}#{n}", each, solvers, others, timeout, Budget(None, seconds))
                for n, each in enumerate(texts)
            ]
        except FalsumError as error:
            click.echo(f"{name:24} {error}")
    groups = grouped(members)
    shown(groups)
    pure = sum(len({member.name.partition("#")[0] for member in group.members}) == 1 for group in groups)
    click.echo(
        f"\n{len(members)} triggers of {len(done)} bugs: {len(groups)} groups, {pure} of them of one bug "
        f"only; {time.monotonic() - started:.0f} s"
    )


if __name__ == "__main__":
    main()
