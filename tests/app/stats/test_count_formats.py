"""Tables of counts as CSV and LaTeX."""

from __future__ import annotations

import csv

import pytest

from falsum.app.stats.count_formats import cells, csv_text, headings, latex_text
from falsum.app.stats.counts import CountTable

TABLE = CountTable("option", ("z3", "cvc5"), (("a_b=50%", (2, 1), 3), ("default", (0, 1), 1)))
PRODUCTS = CountTable("product", ("z3", "cvc5"), (("z3", (2, 0), 2), ("cvc5", (0, 2), 2)))


def test_columns_are_products_and_all() -> None:
    assert headings(TABLE) == ("option", "z3", "cvc5", "findings")
    assert cells(TABLE)[0] == ("a_b=50%", "2", "1", "3")
    assert headings(PRODUCTS) == ("product", "findings")
    assert cells(PRODUCTS) == [("z3", "2"), ("cvc5", "2")]


def test_csv_has_a_line_for_each_number() -> None:
    read = list(csv.DictReader(csv_text([TABLE, PRODUCTS]).splitlines()))
    assert [row["findings"] for row in read] == ["2", "1", "3", "0", "1", "1", "2", "2"]
    assert {"property": "option", "value": "a_b=50%", "product": "cvc5", "findings": "1"} in read
    assert {row["product"] for row in read if row["property"] == "product"} == {"all"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a_b=50%", r"a\_b=50\%"),
        ("\\x", r"\textbackslash{}x"),
        ("{~^}", r"\{\textasciitilde{}\textasciicircum{}\}"),
    ],
)
def test_latex_is_escaped(text: str, shown: str) -> None:
    table = CountTable("option", ("z3",), ((text, (1,), 1),))
    written = latex_text([table])
    assert rf"{shown} & 1 & 1 \\" in written
    assert written.count(r"\begin{tabular}{lrr}") == written.count(r"\end{tabular}") == 1


def test_control_characters_do_not_get_through() -> None:
    table = CountTable("kind", ("z3",), (("a\x1b[2Jb", (1,), 1),))
    assert "\x1b" not in csv_text([table]) + latex_text([table])
