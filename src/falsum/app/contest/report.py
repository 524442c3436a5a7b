"""The report on a contest: one HTML file, and the same tables as Markdown."""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from markupsafe import Markup

from falsum.app import pages
from falsum.app.contest.standings import Standings
from falsum.app.pages.environment import html_templates, markdown_cell
from falsum.contest.statistics import p_text

HTML: Final = "report.html"
MARKDOWN: Final = "report.md"
HEADING: Final = (
    "fuzzer", "bugs", "only it", "median", "mean", "CPU s", "other bugs", "reports", "false alarms",
    "unclear", "U", "p", "A12",
)  # fmt: skip
_STATIC: Final = Path(pages.__file__).with_name("static")


def write_reports(standings: Standings, about: Sequence[str], folder: Path) -> tuple[Path, Path]:
    """Write both files to a folder; `about` are the conditions of the contest, a sentence each."""
    (folder / HTML).write_text(page_text(standings, about), encoding="utf-8")
    (folder / MARKDOWN).write_text("\n".join(markdown_lines(standings, about)) + "\n", encoding="utf-8")
    return folder / HTML, folder / MARKDOWN


def page_text(standings: Standings, about: Sequence[str]) -> str:
    """The page as HTML that needs no other file."""
    style = "\n".join((_STATIC / name).read_text(encoding="utf-8") for name in ("plots.css", "pages.css"))
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    template = html_templates().get_template("contest.html")
    texts = {"about": about, "heading": HEADING, "table": table(standings), "policy": policy}
    return template.render(standings=standings, written=time.time(), style=Markup(style), **texts)  # noqa: S704 - our own


def table(standings: Standings) -> list[list[str]]:
    """A row of text for each fuzzer."""
    return [
        [
            row.name, str(row.bugs), str(row.only), f"{row.median:g}", f"{row.mean:.2f}", f"{row.cpu:.1f}",
            str(row.others),
            str(row.reports), str(row.false_alarms), str(row.unclear),
            "" if row.u is None else f"{row.u:g}", "" if row.p is None else p_text(row.p),
            "" if row.a12 is None else f"{row.a12:.2f}",
        ]
        for row in standings.rows
    ]  # fmt: skip


def markdown_lines(standings: Standings, about: Sequence[str]) -> Iterator[str]:
    yield from about
    yield ""
    yield from _markdown(HEADING, table(standings))
    if len(standings.benchmarks) > 1:
        yield ""
        counts = [[n, *(str(standings.on(n, b)) for b in standings.benchmarks)] for n in standings.names]
        yield from _markdown(["bugs on", *standings.benchmarks], counts)
    if (diagram := standings.diagram) is not None:
        yield ""
        yield f"{diagram.summary}."
    alone = [(bug, names[0]) for bug, names in standings.overlap if len(names) == 1]
    if alone:
        yield ""
        yield f"Found by one fuzzer only: {', '.join(f'{bug} ({name})' for bug, name in alone)}."
    for row in standings.rows:
        if row.note:
            yield ""
            yield f"{row.name}: {row.note}"


def _markdown(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for line in (heading, ["---"] * len(heading), *rows):
        yield f"| {' | '.join(map(markdown_cell, line))} |"
