"""Tables of counts as charts."""

from __future__ import annotations

from falsum.app.stats.count_charts import chart, html, svg
from falsum.app.stats.counts import CountTable

TABLE = CountTable("kind", ("z3", "cvc5"), (("crash", (2, 1), 3), ("model", (0, 1), 1)))


def test_a_bar_for_each_value_and_a_part_for_each_product() -> None:
    drawn = chart(TABLE)
    assert drawn.labels == ("crash", "model")
    assert drawn.parts == ((2, 0), (1, 1))
    assert drawn.summary == "Findings by kind: crash 3, model 1"


def test_products_have_bars_of_one_colour() -> None:
    products = CountTable("product", ("z3", "cvc5"), (("z3", (2, 1), 2), ("cvc5", (1, 2), 2)))
    assert chart(products).parts == ((2, 2),)


def test_no_findings() -> None:
    empty = CountTable("time", (), (), grows=True)
    assert chart(empty).summary == "Findings so far: none"
    assert "Findings so far" in html([empty], "out")


def test_a_file_has_its_own_style() -> None:
    assert "<style>" in svg(TABLE)
    assert "xmlns" in svg(TABLE)
