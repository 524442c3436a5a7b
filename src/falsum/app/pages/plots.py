"""Plots: small charts as inline SVG, styled by classes so that a page can colour them for light and dark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Final

from markupsafe import Markup, escape

_WIDTH: Final = 460
_HEIGHT: Final = 170
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 8, 10, 24
_NICE: Final = (1.0, 2.0, 5.0, 10.0)
_TIME_STEPS: Final = (
    5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 604800
)  # fmt: skip
_MOST_TICKS: Final = 5
_MOST_TABLE_ROWS: Final = 16


@dataclass(frozen=True, slots=True)
class Series:
    """One line or area: `role` names its colour in the style sheet."""

    name: str
    role: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """Values over spans of time, the first from 0; stacked series are areas on top of each other.

    `edges` are the seconds at which the spans end. With `steps`, values are counts that only grow.
    """

    key: str
    title: str
    unit: str
    edges: tuple[float, ...]
    series: tuple[Series, ...]
    stacked: bool = False
    steps: bool = False

    @property
    def summary(self) -> str:
        """The plot in words, for those who cannot see it."""
        if not self.edges:
            return f"{self.title}: no data yet"
        series = [f"{one.name} {self._in_words(one.values)}" for one in self.series]
        return f"{self.title} ({self.unit}) up to {time_text(self.edges[-1])}: {'; '.join(series)}"

    def _in_words(self, values: Sequence[float]) -> str:
        if self.steps:
            return number_text(values[-1])
        mean = sum(values) / len(values)
        return f"{number_text(round(mean, 2))} on average, {number_text(round(max(values), 2))} at most"

    def table(self) -> list[tuple[str, list[str]]]:
        """Some of the values as rows: the time, and a number for each series."""
        every = max(1, -(-len(self.edges) // _MOST_TABLE_ROWS))
        places = sorted({*range(every - 1, len(self.edges), every), len(self.edges) - 1} - {-1})
        return [
            (time_text(self.edges[place]), [number_text(one.values[place]) for one in self.series])
            for place in places
        ]

    def svg(self, style: str = "") -> Markup:
        """The chart as SVG; with a style of its own it is a complete file."""
        return _Drawing(self).svg(style)


class _Drawing:
    """The geometry of one plot."""

    def __init__(self, plot: Plot) -> None:
        self._plot = plot
        self._layers = _stacked(plot.series) if plot.stacked else [one.values for one in plot.series]
        most = max((value for values in self._layers for value in values), default=0.0)
        self._ticks = value_ticks(most, whole=plot.steps)
        self._most = self._ticks[-1]
        self._end = plot.edges[-1] if plot.edges else 1.0

    def svg(self, style: str) -> Markup:
        plot = self._plot
        namespace = ' xmlns="http://www.w3.org/2000/svg"' if style else ""
        parts = [
            f'<svg{namespace} class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"',
            f' aria-label="{escape(plot.summary)}">',
            f"<style>{style}</style>" if style else "",
            *self._grid(),
        ]
        if plot.edges:
            draw = self._areas if plot.stacked else self._lines
            parts += [*draw(), *self._tips()]
        else:
            parts.append(f'<text class="none" x="{_WIDTH / 2}" y="{_HEIGHT / 2}">no data yet</text>')
        # Every piece of text in it was escaped above.
        return Markup("".join([*parts, "</svg>"]))  # noqa: S704

    def _x(self, seconds: float) -> float:
        return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * seconds / self._end, 1)

    def _y(self, value: float) -> float:
        return round(_HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * value / self._most, 1)

    def _grid(self) -> list[str]:
        parts = []
        for tick in self._ticks:
            y = self._y(tick)
            parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>')
            text = escape(number_text(tick))
            parts.append(f'<text class="tick end" x="{_LEFT - 6}" y="{y + 4}">{text}</text>')
        for seconds in time_ticks(self._end) if self._plot.edges else ():
            text, x = escape(time_text(seconds)), self._x(seconds)
            place = "end" if x > _WIDTH - 30 else "middle"
            parts.append(f'<text class="tick {place}" x="{x}" y="{_HEIGHT - 8}">{text}</text>')
        return parts

    def _starts(self) -> list[float]:
        return [0.0, *self._plot.edges[:-1]]

    def _lines(self) -> list[str]:
        parts = []
        for one in self._plot.series:
            points = []
            before = one.values[0] if not self._plot.steps else 0.0
            for start, edge, value in zip(self._starts(), self._plot.edges, one.values, strict=True):
                if self._plot.steps:
                    points += [
                        (self._x(x), self._y(y)) for x, y in ((start, before), (edge, before), (edge, value))
                    ]
                    before = value
                else:
                    points.append((self._x((start + edge) / 2), self._y(value)))
            if len(points) == 1:
                points = [(self._x(0), points[0][1]), (self._x(self._end), points[0][1])]
            parts.append(f'<polyline class="line {escape(one.role)}" points="{_joined(points)}"/>')
        return parts

    def _areas(self) -> list[str]:
        parts = []
        below = [0.0] * len(self._plot.edges)
        spans = list(zip(self._starts(), self._plot.edges, strict=True))
        for one, above in zip(self._plot.series, self._layers, strict=True):
            up = [(self._x(x), self._y(v)) for span, v in zip(spans, above, strict=True) for x in span]
            down = [(self._x(x), self._y(v)) for span, v in zip(spans, below, strict=True) for x in span]
            outline = _joined([*up, *reversed(down)])
            parts.append(f'<polygon class="area {escape(one.role)}" points="{outline}"/>')
            below = list(above)
        return parts

    def _tips(self) -> list[str]:
        """Invisible columns whose titles browsers show under the mouse."""
        plot, parts = self._plot, []
        for place, (start, edge) in enumerate(zip(self._starts(), plot.edges, strict=True)):
            text = ", ".join(f"{one.name} {number_text(one.values[place])}" for one in plot.series)
            x, width = self._x(start), round(self._x(edge) - self._x(start), 1)
            parts.append(
                f'<rect class="tip" x="{x}" y="{_TOP}" width="{width}" height="{_HEIGHT - _TOP - _BOTTOM}">'
                f"<title>{escape(f'{time_text(edge)}: {text} {plot.unit}')}</title></rect>"
            )
        return parts


def _stacked(series: Sequence[Series]) -> list[tuple[float, ...]]:
    layers: list[tuple[float, ...]] = []
    for one in series:
        below = layers[-1] if layers else (0.0,) * len(one.values)
        layers.append(tuple(value + base for value, base in zip(one.values, below, strict=True)))
    return layers


def _joined(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def value_ticks(most: float, *, whole: bool = False) -> list[float]:
    """Round numbers from 0 to at least `most`; whole ones for what is counted."""
    if most <= 0:
        return [0.0, 1.0]
    raw = max(most / (_MOST_TICKS - 1), 1.0 if whole else 0.0)
    power = 10.0 ** floor(log10(raw))
    step = next(nice for nice in _NICE if nice * power >= raw * (1 - 1e-9)) * power
    count = next(n for n in range(1, _MOST_TICKS + 1) if n * step >= most * (1 - 1e-9))
    return [step * n for n in range(count + 1)]


def time_ticks(end: float) -> list[float]:
    """Round times from 0 to `end`."""
    fitting: Callable[[float], bool] = lambda step: end / step <= _MOST_TICKS  # noqa: E731
    step = next((step for step in _TIME_STEPS if fitting(step)), end)
    return [step * n for n in range(int(end / step) + 1)]


def number_text(value: float) -> str:
    """A number with two or three significant digits: 0.25, 41.5, 1,204, 1.2M."""
    if value >= 1e7:
        return f"{value / 1e6:.0f}M"
    if value >= 1e6:
        return f"{value / 1e6:.1f}M"
    if value >= 1000 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2g}"


def time_text(seconds: float) -> str:
    """A time on an axis: 30s, 5m, 2h, 1h30, 3d."""
    whole = round(seconds)
    days, hours, minutes = whole // 86400, whole // 3600, whole // 60
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{minutes}m{whole % 60:02}" if whole % 60 else f"{minutes}m"
    if whole < 2 * 86400:
        return f"{hours}h{minutes % 60:02}" if minutes % 60 else f"{hours}h"
    return f"{days}d{hours % 24}h" if hours % 24 else f"{days}d"
