"""Count tables as charts: one as SVG, several with their numbers as a page."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from markupsafe import Markup

from falsum.app.pages import plots
from falsum.app.pages.environment import html_templates
from falsum.app.stats import count_formats
from falsum.app.stats.bars import BarChart
from falsum.app.stats.counts import CountTable

_STATIC: Final = Path(plots.__file__).parent / "static"


def chart(table: CountTable) -> BarChart:
    """The table as bars, a part for each product."""
    title = "Findings so far" if table.grows else f"Findings by {table.name}"
    labels = tuple(value for value, _counts, _total in table.rows)
    if len(count_formats.headings(table)) == 2:  # no columns of products
        totals = tuple(total for _value, _counts, total in table.rows)
        return BarChart(title, labels, ("findings",), (totals,))
    parts = tuple(zip(*(counts for _value, counts, _total in table.rows), strict=True))
    return BarChart(title, labels, table.products, parts)


def svg(table: CountTable) -> str:
    """The chart as an SVG file that needs no other file."""
    return str(chart(table).svg((_STATIC / "plots.css").read_text(encoding="utf-8")))


def html(tables: Sequence[CountTable], name: str) -> str:
    """The tables and charts as an HTML page that needs no other file."""
    style = "\n".join((_STATIC / file).read_text(encoding="utf-8") for file in ("plots.css", "pages.css"))
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    parts = [
        {"name": one.name, "chart": chart(one), "headings": count_formats.headings(one),
         "cells": count_formats.cells(one)}
        for one in tables
    ]  # fmt: skip
    return html_templates().get_template("counts.html").render(
        name=name, tables=parts, style=Markup(style),  # noqa: S704 - our own
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
    )  # fmt: skip
