"""`falsum findings`: what campaigns found."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
import msgspec
from rich.console import Console
from rich.table import Table

from falsum.errors import SurroundingsError
from falsum.store import folder
from falsum.store.reading import Reading
from falsum.store.store import FINDINGS

_OUT: Final = click.option(
    "--out", type=click.Path(path_type=Path), default=Path("falsum-out"), metavar="DIR", help="The store."
)
_JSON: Final = click.option("--json", "as_json", is_flag=True, help="JSON lines.")


@click.group(invoke_without_command=True)
@_OUT
@click.pass_context
def command(context: click.Context, out: Path) -> None:
    """What campaigns found: list (also without a word), show, export."""
    if context.invoked_subcommand is None:
        context.invoke(list_, out=out, kind=None, as_json=False)


@command.command("list")
@_OUT
@click.option("--kind", metavar="KIND", help="Only this kind.")
@_JSON
def list_(out: Path, kind: str | None, *, as_json: bool) -> None:
    """All findings, the first seen first."""
    with Reading(out) as store:
        found = [one for one in store.findings() if kind in {None, one.kind}]
    if as_json:
        for one in found:
            click.echo(msgspec.json.encode(one).decode())
        return
    table = Table(box=None, pad_edge=False)
    for title in ("finding", "kind", "seen"):
        table.add_column(title, no_wrap=True)
    for title in ("suspects", "first", "last", "what"):
        table.add_column(title, overflow="fold")
    for one in found:
        suspects = ", ".join(one.suspects)
        when = (_when(one.first_seen), _when(one.last_seen))
        table.add_row(one.digest, one.kind, str(one.count), suspects, *when, _short(one.evidence))
    Console(file=sys.stdout, highlight=False, markup=False).print(table)


@command.command()
@click.argument("name", metavar="FINDING")
@_OUT
@_JSON
def show(name: str, out: Path, *, as_json: bool) -> None:
    """One finding: evidence, lineage, script and answers."""
    with Reading(out) as store:
        listed = store.finding(name)
    home = out / FINDINGS / listed.folder
    record = folder.read(home)
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(record) | {"count": listed.count, "folder": str(home)}))
        return
    click.echo(f"{record.signature}\n{record.evidence}\nseen {listed.count} times; {home}")
    click.echo(f"strategy {record.strategy}, batch {record.batch}, place {record.place}, rng {record.rng}")
    for line in record.lineage:
        click.echo(f"  {line}")
    for exchange in record.exchanges:
        said = " ".join(exchange.answer["verdicts"]) or exchange.answer["ending"]
        click.echo(f"{exchange.solver} {exchange.version}: {said}")
        click.echo(f"  {shlex.join(exchange.command)}")
    click.echo(record.script)


@command.command()
@click.argument("names", nargs=-1, metavar="[FINDING]...")
@_OUT
@click.option("--to", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Where to.")
def export(names: tuple[str, ...], out: Path, to: Path) -> None:
    """Copy the folders of findings, of all without names."""
    with Reading(out) as store:
        chosen = [store.finding(name) for name in names] or store.findings()
    try:
        to.mkdir(parents=True, exist_ok=True)
        for one in chosen:
            shutil.copytree(out / FINDINGS / one.folder, to / one.folder, dirs_exist_ok=True)
    except (OSError, shutil.Error) as error:
        raise SurroundingsError(f"{to}: {error}") from error
    click.echo(f"{len(chosen)} findings in {to}")


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def _short(text: str) -> str:
    return text if len(text) <= 100 else text[:100] + "…"
