"""`falsum findings merge` and `import`: findings of other stores and of archives."""

from __future__ import annotations

from pathlib import Path

import click

from falsum.app import options
from falsum.app.report import files
from falsum.app.terminal import echo
from falsum.campaign.triage import result
from falsum.plural import counted
from falsum.store.archive import opened_store
from falsum.store.merge import merge_contents, merge_store
from falsum.store.store import FINDINGS, Store


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="STORE...", type=click.Path(path_type=Path))
@options.out
def merge(sources: tuple[Path, ...], out: Path) -> None:
    """Merge the findings of other stores into DIR.

    STORE is the directory of a campaign. Findings that are in both are merged: what triage made is added
    where it is missing, and the latest state counts. Merging twice changes nothing.
    """
    with Store(out) as store:
        for source in sources:
            merger = merge_store(store, source)
            echo(f"{source}: {counted(merger.findings, 'finding')}, {merger.new} new in {out}")
        _write_reports(store)


@click.command("import")
@click.argument("archives", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@options.out
def import_(archives: tuple[Path, ...], out: Path) -> None:
    """Import findings that `falsum findings export --store FILE` has written."""
    with Store(out) as store:
        for file in archives:
            with opened_store(file) as (contents, folders):
                merger = merge_contents(store, contents, folders)
            echo(f"{file}: {counted(merger.findings, 'finding')}, {merger.new} new in {out}")
        _write_reports(store)


def _write_reports(store: Store) -> None:
    """Write the reports again: they contain the state, which may have come from another store."""
    for one in store.findings():
        folder = store.folder / FINDINGS / one.folder
        if result.read(folder) is not None:
            files.write(folder)
