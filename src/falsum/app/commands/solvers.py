"""`falsum solvers`: what is there, install more, check that it works."""

from __future__ import annotations

import json
from collections.abc import Iterator

import click
from rich import box
from rich.console import Console
from rich.table import Table

from falsum.app import options
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.doctor import Checkup, examine
from falsum.solvers.profiles import ALL, BY_PRODUCT
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Release, Zoo


@click.group()
def command() -> None:
    """What solvers there are: list them, add releases, check that they work."""


@command.command("list")
@click.option("--available", is_flag=True, help="Ask the package index which releases could be added.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line a release, and nothing else.")
@options.plugin
def list_solvers(*, available: bool, as_json: bool) -> None:
    """Releases that came with falsum, that were added, that are on PATH, and that could be added."""
    zoo = Zoo()
    releases = zoo.all()
    if as_json:
        for release in releases:
            click.echo(json.dumps(_plain(release)))
    else:
        table = _table("solver", "from", "runs", "place")
        for release in releases:
            how = "program" if release.program else "library"
            table.add_row(release.name, str(release.origin), how, release.program or release.folder)
        _print(table)
    for profile in ALL:
        if profile.packages:
            _say_installable(zoo, profile.product, available=available, as_json=as_json)
    if not releases:
        raise SurroundingsError("no solver at all; try: falsum solvers add z3")


@command.command("add")
@click.argument("names", nargs=-1, required=True, metavar="PRODUCT[@RELEASE]…")
@click.option("--json", "as_json", is_flag=True, help="One JSON line a release, and nothing else.")
@options.plugin
def add_solvers(names: tuple[str, ...], *, as_json: bool) -> None:
    """Install releases from the package index, apart from falsum's own environment."""
    zoo = Zoo()
    for name in names:
        product, _, wanted = name.partition("@")
        if ":" in wanted:
            raise UsageError(f"a release to add has no options: {name}")
        click.echo(f"adding {name} …", err=True)
        release = zoo.add(product, wanted)
        profile = BY_PRODUCT[product]
        if release.program is None and not profile.reads_text(release.release):
            click.echo(
                f"{release.name}: its library cannot read SMT-LIB; good for `falsum api` only", err=True
            )
        click.echo(
            json.dumps(_plain(release)) if as_json else f"{release.name} is installed in {release.folder}"
        )


@command.command("doctor")
@click.argument("names", nargs=-1, metavar="[SOLVER]…")
@click.option("--json", "as_json", is_flag=True, help="One JSON line a solver, and nothing else.")
@options.plugin
@click.pass_context
def doctor(context: click.Context, names: tuple[str, ...], *, as_json: bool) -> None:
    """Ask solvers a few scripts and tell what works; without names, all there are."""
    zoo = Zoo()
    solvers = [resolve(name, zoo) for name in names] or list(_readers(zoo))
    if not solvers:
        raise SurroundingsError("no solver at all; try: falsum solvers add z3")
    checkups = []
    for solver in solvers:
        try:
            checkups.append(examine(solver))
        except SurroundingsError as error:
            click.echo(f"{solver.name}: {error}", err=True)
            continue
        if as_json:
            click.echo(json.dumps(checkups[-1].plain()))
    if not as_json:
        _print(_checkup_table(checkups))
    if len(checkups) < len(solvers) or not all(checkup.healthy for checkup in checkups):
        context.exit(3)


def _readers(zoo: Zoo) -> Iterator[Solver]:
    """Everything there is that can read a script."""
    for release in zoo.all():
        profile = BY_PRODUCT[release.product]
        if release.program or profile.reads_text(release.release):
            yield Solver(release.name, profile, release)
        else:
            click.echo(f"{release.name}: its library cannot read SMT-LIB", err=True)


def _plain(release: Release) -> dict[str, str | None]:
    return {
        "solver": release.name,
        "product": release.product,
        "release": release.release,
        "from": str(release.origin),
        "program": release.program,
        "folder": release.folder,
        "licence": BY_PRODUCT[release.product].licence,
    }


def _say_installable(zoo: Zoo, product: str, *, available: bool, as_json: bool) -> None:
    profile = BY_PRODUCT[product]
    versions: tuple[str, ...] | None = None
    if available:
        try:
            versions = zoo.available(profile)
        except SurroundingsError as error:
            click.echo(f"{product}: {error}", err=True)
    if as_json:
        if versions is not None:
            click.echo(json.dumps({"product": product, "from": "index", "available": versions}))
    elif versions is None:
        click.echo(f"could be added: {product}[@RELEASE]  (package {profile.packages[0]}, {profile.licence})")
    else:
        click.echo(f"could be added: {product}@ {' '.join(versions)}")


def _checkup_table(checkups: list[Checkup]) -> Table:
    table = _table("solver", "cold ms", "warm ms", "options", "works", "does not")
    for checkup in checkups:
        works = [ability for ability, fine in checkup.works.items() if fine]
        not_working = [f"{ability}: {remark}" for ability, remark in checkup.remarks.items()]
        warm = "" if checkup.warm_ms is None else f"{checkup.warm_ms:.1f}"
        table.add_row(
            checkup.solver,
            f"{checkup.cold_ms:.0f}",
            warm,
            str(checkup.options or ""),
            " ".join(works),
            "\n".join(not_working),
        )
    return table


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _print(table: Table) -> None:
    console = Console(markup=False, highlight=False)
    if not console.is_terminal:
        console = Console(markup=False, highlight=False, width=200)
    console.print(table)
