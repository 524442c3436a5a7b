"""`falsum findings stats`: the findings of a store in figures, as a paper or a report needs them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.table import Table

from falsum.app import options
from falsum.app.pages.libraries import require_page_libraries
from falsum.app.stats import count_formats
from falsum.app.stats.counts import PROPERTIES, CountTable, count_by, read_facts
from falsum.app.terminal import echo
from falsum.errors import SurroundingsError, UsageError
from falsum.plural import counted
from falsum.store import atomic

_PIPED_WIDTH: Final = 200


@click.command("stats")
@options.out
@click.option(
    "--by", "names", multiple=True, type=click.Choice(PROPERTIES), metavar="PROPERTY",
    help=f"Count by this property only: {', '.join(PROPERTIES[:-1])} or {PROPERTIES[-1]}; may be repeated "
    "(default: all of them).",
)  # fmt: skip
@click.option("--leaders", "only_leaders", is_flag=True, help="Count one finding of each group only.")
@click.option("--csv", "as_csv", is_flag=True, help="Write comma-separated values to standard output.")
@click.option("--latex", "as_latex", is_flag=True, help="Write LaTeX tables to standard output.")
@click.option(
    "--plot", type=click.Path(path_type=Path), metavar="FILE",
    help="Write a bar chart to FILE.svg, or all charts and tables to FILE.html.",
)  # fmt: skip
@options.plugin
def command(
    out: Path,
    names: tuple[str, ...],
    plot: Path | None,
    *,
    only_leaders: bool,
    as_csv: bool,
    as_latex: bool,
) -> None:
    """Count findings by kind, defect, product, theory, strategy ….

    Each table has a column for each product. A finding in several theories or releases is counted with each.
    Options are those that a finding needs, releases those known to show it. Over time, the numbers are sums.
    """
    if as_csv and as_latex:
        raise UsageError("use either --csv or --latex")
    if plot is not None and plot.suffix == ".svg" and len(names) != 1:
        raise UsageError(f"{plot}: an SVG file holds one chart; name its property with --by")
    if plot is not None and plot.suffix not in {".svg", ".html"}:
        raise UsageError(f"{plot}: the name of a plot ends in .svg or .html")
    facts = read_facts(out, only_leaders=only_leaders)
    tables = [count_by(name, facts) for name in names or PROPERTIES]
    if plot is not None:
        _write_plot(plot, tables, out.resolve().name)
    if as_csv:
        echo(count_formats.csv_text(tables), nl=False)
    elif as_latex:
        echo(count_formats.latex_text(tables), nl=False)
    else:
        echo(f"{counted(len(facts), 'group' if only_leaders else 'finding')} in {out}")
        _print(tables)
        if plot is not None:
            echo(f"plot in {plot}")


def _print(tables: Sequence[CountTable]) -> None:
    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    console = Console(file=sys.stdout, highlight=False, markup=False, width=width)
    for table in tables:
        grid = Table(box=None, pad_edge=False)
        for place, title in enumerate(count_formats.headings(table)):
            grid.add_column(title, justify="right" if place else "left", overflow="fold")
        for row in count_formats.cells(table):
            grid.add_row(*row)
        if table.rows:
            console.print()
            console.print(grid)


def _write_plot(file: Path, tables: Sequence[CountTable], name: str) -> None:
    require_page_libraries()
    from falsum.app.stats import count_charts  # noqa: PLC0415 - libraries of an extra

    text = count_charts.svg(tables[0]) if file.suffix == ".svg" else count_charts.html(tables, name)
    try:
        atomic.write_file(file, text)
    except OSError as error:
        raise SurroundingsError(f"{file}: {error.strerror}") from error
