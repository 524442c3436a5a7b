"""`falsum seeds`: describes, imports, filters and minimises collections of seeds."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Final

import click

from falsum.app import options
from falsum.app.command_group import CommandGroup
from falsum.app.configuration import read_config
from falsum.app.solver_names import absolute_name
from falsum.app.terminal import echo
from falsum.campaign.corpus.archives import check_digest, scripts_in
from falsum.campaign.corpus.seed_files import digest_of, gather
from falsum.campaign.corpus.seeds import CorpusSeed, behaviour, described, fewest, structure_of
from falsum.errors import SurroundingsError, UsageError
from falsum.plural import counted
from falsum.printable import printable
from falsum.solvers.edge_watch import EdgeWatch
from falsum.solvers.solver import resolve
from falsum.solvers.supervision.process import ProcessRunner
from falsum.solvers.zoo import Zoo
from falsum.store.atomic import write_file
from falsum.store.reader import StoreReader
from falsum.store.schema import FILE_NAME

_LOGIC: Final = re.compile(r"\(\s*set-logic\s+([A-Za-z_0-9+]+)\s*\)")
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_MOST_OPERATORS: Final = 20
_to = click.option(
    "--to", type=click.Path(path_type=Path, file_okay=False), metavar="TO", help="Directory to copy to."
)


@click.group(cls=CommandGroup, default="stats")
def command() -> None:
    """Count, import, filter and minimise seeds (default: stats)."""


@command.command()
@click.argument("names", nargs=-1, metavar="[SEEDS]...")
@options.out
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object to standard output.")
def stats(names: tuple[str, ...], out: Path, *, as_json: bool) -> None:
    """Count seeds by logic, status, operator and time.

    SEEDS are files, directories or patterns (default: the bundled seeds). Times are those of the quickest
    solver on each seed, as campaigns in DIR have measured them.
    """
    files = gather(names)
    if files.unreadable and not files.seeds:
        name, why = files.unreadable[0]
        raise SurroundingsError(f"{name}: {why}")
    for name, why in files.unreadable:
        echo(f"{name}: {why}", err=True)
    seeds = list(described(files.seeds))
    usable = [seed for seed in seeds if not seed.unusable]
    counts = {
        "seeds": {"usable": len(usable), "unusable": len(seeds) - len(usable)},
        "logic": Counter(seed.file.logic or "none" for seed in usable),
        "status": Counter(seed.status for seed in usable),
        "operator": Counter(name for seed in usable for name in seed.operators),
        "seconds": _times(out, usable),
        "unusable": Counter(seed.unusable.partition(":")[0] for seed in seeds if seed.unusable),
    }
    if as_json:
        echo(json.dumps(counts))
        return
    for title, counted_ in counts.items():
        rows = sorted(counted_.items(), key=lambda row: (-row[1], row[0]))
        more = f", and {len(rows) - _MOST_OPERATORS} more" if len(rows) > _MOST_OPERATORS else ""
        if rows:
            echo(f"{title}: " + ", ".join(f"{name} {count}" for name, count in rows[:_MOST_OPERATORS]) + more)


def _times(out: Path, seeds: Iterable[CorpusSeed]) -> Counter[str]:
    """The numbers of seeds decided within 0.1 s, within 1 s, and later, as far as they were measured."""
    if not (out / FILE_NAME).is_file():
        return Counter()
    with StoreReader(out) as store:
        records = store.seeds(seed.file.digest for seed in seeds)
    quickest = [min(m.seconds for m in record.measures) for record in records.values() if record.measures]
    return Counter("below 0.1" if t < 0.1 else "below 1" if t < 1 else "1 or more" for t in quickest)


@command.command("import")
@click.argument("files", nargs=-1, required=True, metavar="ARCHIVE...", type=click.Path(path_type=Path))
@click.option("--sha256", "digests", multiple=True, metavar="DIGEST",
              help="Expected SHA-256 of each archive, in their order; may be repeated.")  # fmt: skip
@click.option(
    "--to", type=click.Path(path_type=Path, file_okay=False), required=True, metavar="TO",
    help="Directory of seeds to add to.",
)  # fmt: skip
def import_(files: tuple[Path, ...], digests: tuple[str, ...], to: Path) -> None:
    """Import the scripts of archives (tar, zip), each once.

    Scripts that are in TO already, or differ from another only in names, comments and layout, are left out,
    as well as those that are too long for a seed. They go to TO/LOGIC.
    """
    if digests and len(digests) != len(files):
        raise UsageError(f"{len(digests)} digests for {counted(len(files), 'archive')}")
    for file, digest in zip(files, digests, strict=False):
        check_digest(file, digest)
    here = gather((str(to),)).seeds if to.is_dir() else ()
    contents = {seed.digest for seed in here}
    structures = {structure_of(seed.text()) for seed in here}
    for file in files:
        taken = seen = 0
        for name, text in scripts_in(file):
            seen += 1
            content, structure = digest_of(text), structure_of(text)
            if content in contents or structure in structures:
                continue
            contents.add(content)
            structures.add(structure)
            _write(to, name, text)
            taken += 1
        echo(f"{file}: {counted(seen, 'script')}, {taken} new in {to}")


def _write(to: Path, name: str, text: str) -> None:
    """Write a script to the folder of its logic, under a safe name made of its path."""
    logic = _LOGIC.search(text)
    folder = to / (logic[1] if logic else "none")
    folder.mkdir(parents=True, exist_ok=True)
    stem = _UNSAFE.sub("-", "-".join(PurePosixPath(name.removesuffix(".gz")).parts[-3:])).strip(".-")
    write_file(folder / f"{stem.removesuffix('.smt2')}-{digest_of(text)[:8]}.smt2", text)


@command.command("filter")
@click.argument("names", nargs=-1, metavar="[SEEDS]...")
@click.option(
    "--logic", "logics", multiple=True, metavar="L", help="Keep seeds of this logic; may be repeated."
)
@click.option("--status", type=click.Choice(["sat", "unsat", "unknown"]), help="Keep seeds with this status.")
@click.option("--operator", "operators", multiple=True, metavar="OP", help="Keep seeds with this operator.")
@click.option("--max-bytes", type=click.IntRange(1), metavar="N", help="Keep seeds of at most N bytes.")
@_to
def filter_(
    names: tuple[str, ...],
    logics: tuple[str, ...],
    status: str | None,
    operators: tuple[str, ...],
    max_bytes: int | None,
    to: Path | None,
) -> None:
    """Print the names of usable seeds that meet all conditions, or copy them."""
    selection = [
        seed
        for seed in described(gather(names).seeds)
        if not seed.unusable
        and (not logics or seed.file.logic in logics)
        and status in {None, seed.status}
        and set(operators) <= set(seed.operators)
        and (max_bytes is None or len(seed.text.encode()) <= max_bytes)
    ]
    _deliver(selection, to)


@command.command()
@click.argument("names", nargs=-1, metavar="[SEEDS]...")
@options.solver("Solver whose behaviour counts (default: those of the configuration)", "solver_names")
@options.timeout
@options.memory
@_to
def minimise(
    names: tuple[str, ...],
    solver_names: tuple[str, ...],
    timeout: float | None,
    memory: int | None,
    to: Path | None,
) -> None:
    """Choose a few seeds on which the solvers show every behaviour that they show on all seeds.

    Behaviour is the edges that a solver built with AFL++ reaches; of other solvers, it is the verdict and
    each statistic that they give, rounded to a power of two.
    """
    settings, zoo = read_config(), Zoo()
    limits = settings.limits_with(timeout, memory)
    solvers = [resolve(absolute_name(name), zoo) for name in settings.solvers_with(solver_names)]
    seeds = {seed.file.name: seed for seed in described(gather(names).seeds) if not seed.unusable}
    with ProcessRunner() as runner, closing(EdgeWatch(runner)) as edges:
        features_of = {
            name: frozenset(
                f"{solver.name}: {feature}"
                for solver in solvers
                for feature in behaviour(solver, seed.text, limits, runner, edges)
            )
            for name, seed in seeds.items()
        }
    choice = fewest(features_of, {name: len(seed.text) for name, seed in seeds.items()})
    _deliver([seeds[name] for name in choice], to)
    features = len(set().union(*features_of.values())) if features_of else 0
    echo(f"{len(choice)} of {counted(len(seeds), 'seed')} show all {features} features", err=True)


def _deliver(seeds: Iterable[CorpusSeed], to: Path | None) -> None:
    for name in _delivered(seeds, to):
        echo(printable(name))


def _delivered(seeds: Iterable[CorpusSeed], to: Path | None) -> Iterator[str]:
    for seed in seeds:
        if to is not None:
            _write(to, seed.file.name.replace(":", "/"), seed.text)
        yield seed.file.name
