"""`falsum solvers`: lists solver releases, installs more, checks that they work."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import click
from rich import box
from rich.console import Console
from rich.table import Table

from falsum.app import completions, options
from falsum.app.command_group import CommandGroup
from falsum.app.findings import update_command
from falsum.app.terminal import echo, progress_line, waiting
from falsum.errors import SurroundingsError, UsageError
from falsum.printable import printable
from falsum.solvers.doctor import Checkup, examine, try_fence, try_wrecks
from falsum.solvers.profiles import ALL, BY_PRODUCT, Profile
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.supervision import cgroups, fence, namespaces
from falsum.solvers.zoo import Release, Zoo

_BROKEN = 3


@click.group(cls=CommandGroup, default="list")
def command() -> None:
    """List, install, remove and check solver releases."""


command.add_command(update_command.command)


@command.command("list")
@click.option("--available", is_flag=True, help="Ask the package index which releases can be installed.")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON line per release to standard output.")
@options.plugin
def list_solvers(*, available: bool, as_json: bool) -> None:
    """List the releases on this machine and the products that can be installed."""
    zoo = Zoo()
    releases = zoo.all()
    if as_json:
        for release in releases:
            echo(json.dumps(_plain(release)))
    else:
        table = _table("solver", "origin", "runs as", "path")
        for release in releases:
            kind = "program" if release.program else "library"
            table.add_row(release.name, str(release.origin), kind, release.program or release.folder)
        _print(table)
    for profile in ALL:
        if profile.packages:
            _show_installable(zoo, profile, available=available, as_json=as_json)
    if not releases:
        raise _no_solver()


@command.command("add")
@click.argument("names", nargs=-1, required=True, metavar="PRODUCT[@RELEASE]…")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON line per release to standard output.")
@options.plugin
def add_solvers(names: tuple[str, ...], *, as_json: bool) -> None:
    """Install releases from the package index, apart from falsum's own environment."""
    zoo = Zoo()
    for name in names:
        product, _, release_part = name.partition("@")
        if ":" in release_part:
            raise UsageError(f"{name}: options cannot be given here; use PRODUCT[@RELEASE]")
        if not sys.stderr.isatty():
            echo(f"installing {name} …", err=True)
        with waiting(f"installing {name}"):
            release = zoo.add(product, release_part)
        if not _reads_scripts(release):
            echo(_no_parser(release) + "; use it with `falsum api`", err=True)
        echo(json.dumps(_plain(release)) if as_json else f"installed {release.name} in {release.folder}")


@command.command("remove")
@click.argument(
    "names", nargs=-1, required=True, metavar="PRODUCT@RELEASE…", shell_complete=completions.solvers
)
@options.plugin
def remove_solvers(names: tuple[str, ...]) -> None:
    """Remove releases that `falsum solvers add` has installed."""
    zoo = Zoo()
    for name in names:
        release = _installed(zoo, name)
        zoo.remove(release)
        echo(f"removed {release.name}")


def _installed(zoo: Zoo, name: str) -> Release:
    """The installed release that a name means."""
    product, _, release_part = name.partition("@")
    if product not in BY_PRODUCT:
        raise UsageError(f"unknown product {product!r}; choose from {', '.join(BY_PRODUCT)}")
    releases = [release for release in zoo.installed(BY_PRODUCT[product]) if release.matches(release_part)]
    if len(releases) == 1:
        return releases[0]
    names = ", ".join(release.name for release in releases or zoo.installed(BY_PRODUCT[product]))
    if releases:
        raise UsageError(f"{name} is ambiguous; choose one of {names}")
    hint = f"; installed: {names}" if names else ""
    raise UsageError(f"{name} was not installed by falsum solvers add{hint}")


@command.command("doctor")
@click.argument("names", nargs=-1, metavar="[SOLVER]…")
@options.fence
@click.option("--json", "as_json", is_flag=True, help="Write one JSON line per solver to standard output.")
@options.plugin
@click.option("--attack", is_flag=True, help="Only try what the fence must refuse.")
@click.pass_context
def doctor(context: click.Context, names: tuple[str, ...], *, attack: bool, as_json: bool) -> None:
    """Run scripts with known answers on solvers (default: all) and show what works.

    Exit code 3 if a solver cannot be run or gives a wrong answer. With --attack no solver is asked: programs
    attack this machine from behind the fence, harmlessly, and exit code 3 says that an attack succeeded.
    """
    if attack:
        context.exit(_attack())
    zoo = Zoo()
    solvers = [resolve(name, zoo) for name in names] or list(_readers(zoo))
    if not solvers:
        raise _no_solver()
    _show_fence(err=True)
    for act, is_possible in try_fence().items():
        echo(f"    {act}: {'possible' if is_possible else 'refused'}", err=True)
    checkups = []
    with progress_line(len(solvers), "examined") as step:
        for solver in solvers:
            try:
                checkups.append(examine(solver))
            except SurroundingsError as error:
                echo(f"{solver.name}: {error}", err=True)
                continue
            step(solver.name)
            if as_json:
                echo(json.dumps(checkups[-1].plain()))
    if not as_json:
        _print(_checkup_table(checkups))
        for checkup in checkups:
            if checkup.edges:
                echo(f"{checkup.solver}: instrumented: {checkup.edges:,} edges")
    if len(checkups) < len(solvers) or not all(checkup.healthy for checkup in checkups):
        context.exit(_BROKEN)


def _show_fence(*, err: bool) -> None:
    """Show which restrictions this machine permits, by trying them."""
    echo(f"fence: {fence.description()}", err=err)
    if fence.mode() != fence.OFF:
        echo(f"namespaces: {namespaces.description()}", err=err)
        echo(f"control groups: {cgroups.description()}", err=err)


def _attack() -> int:
    """Show what programs behind the fence can do; the exit code."""
    _show_fence(err=False)
    acts = try_fence()
    for act, is_possible in acts.items():
        echo(f"    {act}: {'possible' if is_possible else 'refused'}")
    ends = try_wrecks()
    for wreck, ending in ends.items():
        echo(f"    {wreck}: {ending or 'not ended'}")
    return _BROKEN if any(acts.values()) or not all(ends.values()) else 0


def _no_solver() -> SurroundingsError:
    first = next(profile.product for profile in ALL if profile.packages)
    return SurroundingsError(f"no solver found; install one with: falsum solvers add {first}")


def _readers(zoo: Zoo) -> Iterator[Solver]:
    """Every release on this machine that can read a script."""
    for release in zoo.all():
        if _reads_scripts(release):
            yield Solver(release.name, BY_PRODUCT[release.product], release)
        else:
            echo(_no_parser(release), err=True)


def _reads_scripts(release: Release) -> bool:
    return bool(release.program) or BY_PRODUCT[release.product].parses_scripts(release.version)


def _no_parser(release: Release) -> str:
    return f"{release.name}: this release of the library cannot parse SMT-LIB"


def _plain(release: Release) -> dict[str, str | None]:
    return {
        "solver": release.name,
        "product": release.product,
        "release": release.version,
        "from": str(release.origin),
        "program": release.program,
        "folder": release.folder,
        "licence": BY_PRODUCT[release.product].licence,
    }


def _show_installable(zoo: Zoo, profile: Profile, *, available: bool, as_json: bool) -> None:
    versions: tuple[str, ...] | None = None
    if available:
        try:
            versions = zoo.available(profile)
        except SurroundingsError as error:
            echo(f"{profile.product}: {error}", err=True)
    if as_json:
        if versions is not None:
            echo(json.dumps({"product": profile.product, "from": "index", "available": versions}))
    elif versions is None:
        source = ", ".join(filter(None, (f"package {profile.packages[0]}", profile.licence)))
        echo(f"installable: {profile.product}[@RELEASE]  ({source})")
    else:
        echo(f"installable: {profile.product}@ {' '.join(versions)}")


def _checkup_table(checkups: list[Checkup]) -> Table:
    table = _table("solver", "cold ms", "warm ms", "options", "works", "fails")
    for checkup in checkups:
        works = [ability for ability, passed in checkup.works.items() if passed]
        failures = [f"{ability}: {remark}" for ability, remark in checkup.remarks.items()]
        warm = "" if checkup.warm_ms is None else f"{checkup.warm_ms:.1f}"
        table.add_row(
            checkup.solver,
            f"{checkup.cold_ms:.0f}",
            warm,
            str(checkup.options or ""),
            " ".join(works),
            printable("\n".join(failures)),
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
