"""`falsum mutate`: prints mutants of scripts."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

import click

from falsum.app import completions, options, script_files
from falsum.app.terminal import echo
from falsum.campaign.corpus.seed_files import completed
from falsum.errors import ScriptError, SurroundingsError, UsageError
from falsum.plural import counted
from falsum.smtlib import print_script
from falsum.smtlib.syntax.operator_files import read_operator_file
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies import BY_NAME, Mutant, Seed, Strategy, configured, find_strategy, with_operators
from falsum.strategies.seeds import leaves_horn

# Without a seed, files are named after the strategy.
_NO_SEED = ""
# After so many repeats in a row there is nothing new to expect.
_MAX_REPEATS = 200


@click.command()
@click.argument("files", nargs=-1, metavar="[FILES]...")
@click.option(
    "--strategy", "-t", required=True, metavar="T", shell_complete=completions.strategies,
    help=f"One of {', '.join(BY_NAME)}, or several in a row as in"
    " typefuzz+opfuzz; parameters follow a colon, as in valfuzz:cpog=true,multief=7.",
)  # fmt: skip
@click.option(
    "--count", type=click.IntRange(1), default=10, show_default=True, metavar="N",
    help="Number of mutants of each seed.",
)  # fmt: skip
@click.option(
    "--rng", "number", type=int, default=0, show_default=True, metavar="N",
    help="Seed of the random number generator.",
)  # fmt: skip
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Parameter of the strategy, which must be a single one; may be repeated.",
)
@options.solver("Solver that the strategy may ask for models and verdicts (default: none)")
@click.option(
    "--out", type=click.Path(file_okay=False), metavar="DIR",
    help="Write each mutant to a file in DIR instead of standard output.",
)  # fmt: skip
@options.operators
@options.plugin
def command(
    files: tuple[str, ...],
    strategy: str,
    count: int,
    number: int,
    settings: tuple[str, ...],
    names: tuple[str, ...],
    out: str | None,
    operators: str | None,
) -> None:
    """Print mutants of scripts. FILES may be directories of scripts.

    Comments at the top of each mutant say how it was made: strategy, seed, random number, claim, lineage.
    All mutants of a seed are different; repeats are left out and counted. Scripts in directories that
    cannot be read are left out and named. The strategies `generate` and `enumerate` take no files.
    """
    chosen_strategy = configured(find_strategy(strategy, BY_NAME), settings)
    if operators is not None:
        chosen_strategy = with_operators(chosen_strategy, read_operator_file(operators))
    seeds = list(_seeds(files))
    if chosen_strategy.arity > len(seeds):
        raise UsageError(
            f"{strategy} needs {chosen_strategy.arity} {'seed' if chosen_strategy.arity == 1 else 'seeds'}"
        )
    with LiveLab([resolve(name, Zoo()) for name in names], Limits(seconds=5)) as lab:
        for index, seed in enumerate(seeds or [Seed(_NO_SEED, "")]):
            others = [seeds[(index + step) % len(seeds)] for step in range(chosen_strategy.arity)]
            rng = Random(f"{number}/{index}")
            mutants = chosen_strategy.mutants(others, rng, lab if names else None)
            name = seed.name or chosen_strategy.name.partition(":")[0]
            distinct = _distinct(_horn_if_the_seeds_are(mutants, others, name), name)
            for which, mutant in enumerate(islice(distinct, count)):
                _write(out, name, which, _with_header(chosen_strategy, seed, number, mutant))


def _seeds(files: tuple[str, ...]) -> Iterator[Seed]:
    """The scripts; one that cannot be read is an error if it was named itself, otherwise it is left out."""
    for name in script_files.script_files(files):
        try:
            yield Seed(name, completed(print_script(script_files.read(name))))
        except (ScriptError, SurroundingsError) as error:
            if name in files:
                raise
            echo(f"falsum: left out: {error}", err=True)


def _horn_if_the_seeds_are(mutants: Iterator[Mutant], seeds: Sequence[Seed], name: str) -> Iterator[Mutant]:
    """The mutants without those of Horn clauses that are none, until there are only such; their number is
    printed.
    """
    others = in_a_row = 0
    try:
        for mutant in mutants:
            is_other = leaves_horn(mutant.text, seeds)
            others += is_other
            in_a_row = in_a_row + 1 if is_other else 0
            if not is_other:
                yield mutant
            elif in_a_row > _MAX_REPEATS:
                break
    finally:
        if others:
            echo(f"falsum: {name}: {counted(others, 'mutant')} left out: no longer Horn clauses", err=True)


def _distinct(mutants: Iterator[Mutant], name: str) -> Iterator[Mutant]:
    """The mutants without repeats, until there are only repeats; then their number is printed."""
    texts: set[str] = set()
    repeats = in_a_row = 0
    try:
        for mutant in mutants:
            in_a_row = in_a_row + 1 if mutant.text in texts else 0
            if not in_a_row:
                texts.add(mutant.text)
                yield mutant
            elif in_a_row > _MAX_REPEATS:
                break
            repeats += in_a_row > 0
    finally:
        if repeats:
            echo(f"falsum: {name}: {counted(repeats, 'repeat')} left out", err=True)


def _with_header(strategy: Strategy, seed: Seed, number: int, mutant: Mutant) -> str:
    lines = [f"strategy: {strategy.name}", f"seed: {seed.name}", f"rng: {number}"]
    if seed.name == _NO_SEED:
        del lines[1]
    if mutant.claim is not None:
        verdicts = " ".join(str(verdict) if verdict else "?" for verdict in mutant.claim.verdicts)
        lines.append(f"claim: {verdicts}")
        lines += [f"witness: {line}" for line in mutant.claim.witness.splitlines()]
    lines += [f"lineage: {line}" for line in mutant.lineage]
    header = "".join(f"; {line}\n" for text in lines for line in text.splitlines())
    return header + mutant.text


def _write(out: str | None, name: str, which: int, text: str) -> None:
    if out is None:
        sys.stdout.write(text)
        return
    stem = Path(name).name.removesuffix(".gz").removesuffix(".smt2")
    try:
        folder = Path(out)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{stem}-{which:04d}.smt2").write_text(text, encoding="utf-8")
    except OSError as error:
        raise SurroundingsError(f"{out}: {error.strerror}") from error
