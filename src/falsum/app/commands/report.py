"""`falsum report`: the campaigns and findings of a store as one HTML file and as Markdown."""

from __future__ import annotations

from pathlib import Path

import click

from falsum.app import options
from falsum.app.pages.libraries import require_page_libraries
from falsum.app.terminal import echo, waiting
from falsum.plural import counted


@click.command()
@click.argument("folder", metavar="[DIR]", default=Path("falsum-out"), type=click.Path(path_type=Path))
@click.option(
    "--to", type=click.Path(path_type=Path), metavar="TO", help="Directory to write to (default DIR)."
)
@options.plugin
def command(folder: Path, to: Path | None) -> None:
    """Write a report about campaigns and findings.

    DIR is the directory of the campaigns (default falsum-out). report.html is one file that needs nothing
    else. report.md says the same in Markdown, with its plots as SVG files beside it. To report one bug to a
    solver's developers, see falsum report-bug and falsum findings export.
    """
    require_page_libraries()
    from falsum.app.pages.store_report import (  # noqa: PLC0415 - libraries of an extra
        read_report,
        write_report,
    )

    with waiting(f"reading {folder}"):
        report = read_report(folder)
        page, markdown, *plots = write_report(report, to or folder)
    echo(f"{page}: {counted(len(report.campaigns), 'campaign')}, {counted(len(report.rows), 'finding')}")
    echo(f"{markdown}: the same, with {counted(len(plots), 'plot')} beside it")
