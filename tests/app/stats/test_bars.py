"""Bar charts: geometry, colours and words."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from falsum.app.stats.bars import ROLES, BarChart


def widths(chart: BarChart) -> dict[str, list[float]]:
    """The lengths of the parts of bars by colour, without the legend."""
    names: dict[str, list[float]] = {}
    for part in ET.fromstring(str(chart.svg())).iter("rect"):
        if part.find("title") is not None:
            names.setdefault(part.attrib["class"], []).append(float(part.attrib["width"]))
    return names


def test_lengths_are_in_proportion() -> None:
    drawn = widths(BarChart("Findings", ("a", "b"), ("z3", "cvc5"), ((10, 0), (5, 20))))
    assert [round(one / drawn["area one"][0], 1) for one in drawn["area two"]] == [0.5, 2.0]


def test_more_names_than_colours_share_the_last() -> None:
    names = tuple(f"p{number}" for number in range(9))
    chart = BarChart("Findings", ("a",), names, tuple((1,) for _name in names))
    drawn = widths(chart)
    assert set(drawn) == {f"area {role}" for role in ROLES}
    assert round(drawn["area six"][0] / drawn["area one"][0]) == 4
    assert ">others<" in str(chart.svg())


def test_no_bars() -> None:
    chart = BarChart("Findings", (), ("z3",), ((),))
    assert chart.summary == "Findings: none"
    assert widths(chart) == {}


def test_text_is_escaped_and_long_labels_are_cut() -> None:
    shown = str(BarChart("<b>", ("<i>" * 20,), ("&",), ((1,),)).svg())
    assert "<i>" not in shown
    assert "<b>" not in shown
    assert "…" in shown


def test_bars_that_are_left_out_are_counted() -> None:
    for count, said in ((40, False), (43, True)):
        labels = tuple(f"bar {number}" for number in range(count))
        chart = BarChart("Findings", labels, ("z3",), ((1,) * count,))
        assert ("3 more in the table" in chart.summary) == said
        assert (">3 more in the table<" in str(chart.svg())) == said
        assert len(widths(chart)["area one"]) == 40
