"""Plots: round ticks, well-formed SVG, values in words."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from falsum.app.pages.length_steps import LengthSteps
from falsum.app.pages.plots import Plot, Series, number_text, time_text, time_ticks, value_ticks


@pytest.mark.parametrize(
    ("most", "ticks"),
    [
        (0, [0, 1]), (1, [0, 0.5, 1]), (3.1, [0, 1, 2, 3, 4]), (41.5, [0, 20, 40, 60]), (100, [0, 50, 100]),
        (0.004, [0, 0.001, 0.002, 0.003, 0.004]), (1e6, [0, 5e5, 1e6]),
    ],
)  # fmt: skip
def test_ticks_are_round(most: float, ticks: list[float]) -> None:
    assert value_ticks(most) == pytest.approx(ticks)


@pytest.mark.parametrize("most", [0.3, 1, 2, 3, 7, 100])
def test_ticks_of_counts_are_whole(most: float) -> None:
    ticks = value_ticks(most, whole=True)
    assert all(tick == int(tick) for tick in ticks)
    assert ticks[-1] >= most


@pytest.mark.parametrize("end", [0.1, 7, 59, 61, 3599, 7201, 86400, 10 * 86400, 400 * 86400])
def test_there_are_few_ticks_of_time(end: float) -> None:
    assert 1 <= len(time_ticks(end)) <= 6
    assert time_ticks(end)[-1] <= end


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0s"),
        (59.4, "59s"),
        (60, "1m"),
        (90, "1m30"),
        (3600, "1h"),
        (5400, "1h30"),
        (172800, "2d"),
        (180000, "2d2h"),
    ],
)
def test_times_in_words(seconds: float, text: str) -> None:
    assert time_text(seconds) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.254, "0.25"),
        (4.26, "4.3"),
        (41.55, "41.5"),
        (1204, "1,204"),
        (1234567, "1.2M"),
        (2.5e7, "25M"),
    ],
)
def test_numbers_in_words(value: float, text: str) -> None:
    assert number_text(value) == text


def plot(**more: object) -> Plot:
    series = (Series("a<b>&\"'", "one", (1.0, 3.0, 2.0)), Series("other", "two", (0.0, 1.0, 4.0)))
    return Plot("key", "Title", "per second", (5.0, 10.0, 12.0), series, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("more", [{}, {"stacked": True}, {"steps": True}])
def test_a_plot_is_well_formed_and_stays_inside(more: dict[str, object]) -> None:
    root = ET.fromstring(str(plot(**more).svg()))
    _x, _y, width, height = map(float, root.attrib["viewBox"].split())
    points = [
        tuple(map(float, point.split(",")))
        for element in root
        for point in element.attrib.get("points", "").split()
    ]
    assert points
    assert all(0 <= x <= width and 0 <= y <= height for x, y in points)
    assert "style" not in {name for element in root.iter() for name in element.attrib}
    assert "a<b>&\"'" in root.attrib["aria-label"]


def test_a_file_has_a_style_of_its_own() -> None:
    root = ET.fromstring(str(plot().svg(".plot { color: red }")))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root[0].text == ".plot { color: red }"


def test_stacked_series_stand_on_each_other() -> None:
    root = ET.fromstring(str(plot(stacked=True).svg()))
    one, two = [
        element.attrib["points"].split() for element in root if "area" in element.attrib.get("class", "")
    ]
    edge = one[: len(one) // 2]
    assert two[len(two) // 2 :] == edge[::-1]


def test_no_data_yet() -> None:
    empty = Plot("key", "Title", "per second", (), (Series("a", "one", ()),))
    assert "no data yet" in str(empty.svg())
    assert empty.summary == "Title: no data yet"
    assert empty.table() == []


def test_the_plot_in_words_and_as_a_table() -> None:
    assert "other 1.7 on average, 4 at most" in plot().summary
    assert "other 4" in plot(steps=True).summary
    assert plot().table()[-1] == ("12s", ["2", "4"])
    many = Plot("key", "t", "u", tuple(map(float, range(1, 241))), (Series("a", "one", (1.0,) * 240),))
    assert len(many.table()) <= 17


def test_steps_of_a_reduction() -> None:
    steps = LengthSteps((213, 180, 94))
    root = ET.fromstring(str(steps.svg()))
    heights = [float(point.split(",")[1]) for point in root[0].attrib["points"].split()]
    assert heights == sorted(heights)
    assert steps.summary == "213 bytes before, 94 after 2 accepted steps"
    assert ET.fromstring(str(LengthSteps((5,)).svg()))[0].attrib["points"]
