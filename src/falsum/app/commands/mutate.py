"""`falsum mutate`: only make mutants."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from random import Random

import click

from falsum.app import sources
from falsum.errors import SurroundingsError, UsageError
from falsum.smtlib import print_script
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME, Mutant, Seed, Strategy
from falsum.strategies.compose import find


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option("--strategy", required=True, help=f"One of {', '.join(BY_NAME)}, or several joined by +.")
@click.option("--count", default=10, show_default=True, help="Mutants of each seed.")
@click.option("--rng", "number", default=0, show_default=True, help="The number all randomness follows from.")
@click.option("--solver", "solvers", multiple=True, help="A solver that strategies may ask for models.")
@click.option("--out", type=click.Path(file_okay=False), help="A directory; without it, standard output.")
def command(
    files: tuple[str, ...], strategy: str, count: int, number: int, solvers: tuple[str, ...], out: str | None
) -> None:
    """Make mutants of scripts (a directory means all its scripts).

    Each begins with comments that say where it is from: strategy, seed, random number, claim, lineage.
    """
    chosen = find(strategy, BY_NAME)
    names = list(sources.script_files(files))
    seeds = [Seed(name, print_script(sources.read(name))) for name in names]
    if chosen.arity > len(seeds):
        raise UsageError(f"{strategy} takes {chosen.arity} seeds")
    with LiveLab([resolve(name, Zoo()) for name in solvers], Limits(seconds=5)) as lab:
        for index, seed in enumerate(seeds):
            others = [seeds[(index + step) % len(seeds)] for step in range(max(chosen.arity, 1))]
            rng = Random(f"{number}/{index}")
            made = chosen.mutants(others, rng, lab if solvers else None)
            for which, mutant in enumerate(islice(made, count)):
                _write(out, seed, which, _with_header(chosen, seed, number, mutant))


def _with_header(strategy: Strategy, seed: Seed, number: int, mutant: Mutant) -> str:
    lines = [f"strategy: {strategy.name}", f"seed: {seed.name}", f"rng: {number}"]
    if mutant.claim is not None:
        verdicts = " ".join(str(verdict) if verdict else "?" for verdict in mutant.claim.verdicts)
        lines.append(f"claim: {verdicts}")
        lines += [f"witness: {line}" for line in mutant.claim.witness.splitlines()]
    lines += [f"lineage: {line}" for line in mutant.lineage]
    header = "".join(f"; {line}\n" for text in lines for line in text.splitlines())
    return header + mutant.text


def _write(out: str | None, seed: Seed, which: int, text: str) -> None:
    if out is None:
        sys.stdout.write(text)
        return
    stem = Path(seed.name).name.removesuffix(".gz").removesuffix(".smt2")
    try:
        folder = Path(out)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{stem}-{which:04d}.smt2").write_text(text, encoding="utf-8")
    except OSError as error:
        raise SurroundingsError(f"{out}: {error.strerror}") from error
