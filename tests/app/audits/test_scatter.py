"""Scatter plots: points within the axes, names escaped."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from falsum.app.audits.scatter import QueryTimes, Scatter


@pytest.mark.parametrize("times", [[], [(0.0, 0.0)], [(0.5, 900.0), (0.001, 2.0)], [(10.0, 10.0)]])
def test_points_are_within_the_axes(times: list[tuple[float, float]]) -> None:
    plot = Scatter("a<b", "c&d", tuple(QueryTimes("<q>", x, y, "one") for x, y in times))
    text = str(plot.svg())
    root = ET.fromstring(text)
    circles = [each for each in root.iter() if each.tag == "circle"]
    assert len(circles) == len(times)
    for circle in circles:
        assert 50 <= float(circle.get("cx", "")) <= 420
        assert 0 <= float(circle.get("cy", "")) <= 380
    assert "<q>" not in re.sub(r"&lt;", "", text)


def test_it_is_told_in_words() -> None:
    plot = Scatter("old", "new", (QueryTimes("a", 1, 2, "one"), QueryTimes("b", 2, 2, "one")))
    assert "of 2 queries 1 take more than 1.5 times as long with new, 0 with old" in plot.summary
