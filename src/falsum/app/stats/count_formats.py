"""Count tables as cells of a table, as CSV and as LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

from falsum.app.stats.counts import CountTable
from falsum.printable import printable

_TOTAL: Final = "findings"
_LATEX: Final = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
    "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip


def headings(table: CountTable) -> tuple[str, ...]:
    """The column titles; a table by product needs no columns of products."""
    first = f"until ({table.name}, UTC)" if table.grows else table.name
    return (first, *(() if _is_by_product(table) else map(printable, table.products)), _TOTAL)


def cells(table: CountTable) -> list[tuple[str, ...]]:
    return [
        (printable(value), *(() if _is_by_product(table) else map(str, counts)), str(total))
        for value, counts, total in table.rows
    ]


def _is_by_product(table: CountTable) -> bool:
    return table.name == "product"


def csv_text(tables: Iterable[CountTable]) -> str:
    """One line for each number: property, value, product, findings; product `all` counts each
    finding once.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("property", "value", "product", "findings"))
    for table in tables:
        for value, counts, total in table.rows:
            pairs = () if _is_by_product(table) else zip(table.products, counts, strict=True)
            for product, count in (*pairs, ("all", total)):
                writer.writerow((table.name, printable(value), printable(product), count))
    return buffer.getvalue()


def latex_text(tables: Sequence[CountTable]) -> str:
    """A `tabular` for each table; they use the package booktabs."""
    return "\n".join(_tabular(table) for table in tables)


def _tabular(table: CountTable) -> str:
    titles = headings(table)
    lines = [
        f"% findings by {table.name}",
        rf"\begin{{tabular}}{{l{'r' * (len(titles) - 1)}}}",
        r"\toprule",
        _latex_row(titles),
        r"\midrule",
        *map(_latex_row, cells(table)),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _latex_row(texts: Iterable[str]) -> str:
    return " & ".join("".join(_LATEX.get(mark, mark) for mark in text) for text in texts) + r" \\"
