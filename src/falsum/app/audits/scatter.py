"""Scatter plot: two times of each query against each other, both axes logarithmic, as inline SVG."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Final

from markupsafe import Markup, escape

from falsum.app.pages.plots import number_text
from falsum.printable import on_one_line

_SIZE: Final = 420
# The plotted square is as wide as it is high.
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 12, 24, 46
# Times below it are noise.
_LEAST: Final = 0.01


@dataclass(frozen=True, slots=True)
class QueryTimes:
    """`role` names its colour in the style sheet."""

    name: str
    x: float
    y: float
    role: str


@dataclass(frozen=True, slots=True)
class Scatter:
    """Points with the names of the axes; above the diagonal is what takes longer on the second axis."""

    x_name: str
    y_name: str
    points: tuple[QueryTimes, ...]

    @property
    def summary(self) -> str:
        """The plot in words, for those who cannot see it."""
        slower = sum(point.y > 1.5 * point.x for point in self.points)
        faster = sum(point.x > 1.5 * point.y for point in self.points)
        return (
            f"CPU seconds with {self.x_name} and with {self.y_name}: of {len(self.points)} queries "
            f"{slower} take more than 1.5 times as long with {self.y_name}, {faster} with {self.x_name}"
        )

    def svg(self) -> Markup:
        return _Drawing(self).svg()


class _Drawing:
    """The plot with the powers of ten at the ends of both axes."""

    def __init__(self, plot: Scatter) -> None:
        self._plot = plot
        values = [max(_LEAST, value) for point in plot.points for value in (point.x, point.y)]
        self._low = floor(log10(min(values, default=_LEAST)) + 1e-9)
        self._high = max(self._low + 1, ceil(log10(max(values, default=1.0)) - 1e-9))

    def svg(self) -> Markup:
        plot = self._plot
        parts = [
            f'<svg class="plot" viewBox="0 0 {_SIZE} {_SIZE}" role="img" aria-label="{escape(plot.summary)}">'
        ]
        for power in range(self._low, self._high + 1):
            place, text = self._place(10.0**power), escape(number_text(10.0**power))
            x, y = _LEFT + place, _SIZE - _BOTTOM - place
            parts += [
                f'<line class="grid" x1="{x:g}" x2="{x:g}" y1="{_TOP}" y2="{_SIZE - _BOTTOM}"/>',
                f'<line class="grid" x1="{_LEFT}" x2="{_SIZE - _RIGHT}" y1="{y:g}" y2="{y:g}"/>',
                f'<text class="middle" x="{x:g}" y="{_SIZE - _BOTTOM + 17}">{text}</text>',
                f'<text class="end" x="{_LEFT - 6}" y="{y + 4:g}">{text}</text>',
            ]
        parts.append(
            f'<line class="line three" x1="{_LEFT}" y1="{_SIZE - _BOTTOM}" '
            f'x2="{_SIZE - _RIGHT}" y2="{_TOP}"/>'
        )
        middle = (_LEFT + _SIZE - _RIGHT) / 2
        parts += [
            f'<text class="middle" x="{middle}" y="{_SIZE - 8}">{escape(plot.x_name)}, s</text>',
            self._side_name(middle - 40),
        ]
        parts += map(self._dot, plot.points)
        # Every piece of text in it was escaped above.
        return Markup("".join([*parts, "</svg>"]))  # noqa: S704

    def _side_name(self, y: float) -> str:
        text = escape(self._plot.y_name)
        return f'<text class="middle" x="14" y="{y}" transform="rotate(-90 14 {y})">{text}, s</text>'

    def _dot(self, point: QueryTimes) -> str:
        x, y = _LEFT + self._place(point.x), _SIZE - _BOTTOM - self._place(point.y)
        title = f"{on_one_line(point.name)}: {point.x:.2f} s, {point.y:.2f} s"
        return (
            f'<circle class="area {escape(point.role)}" cx="{x:.1f}" cy="{y:.1f}" r="3.5" '
            f'fill-opacity=".7"><title>{escape(title)}</title></circle>'
        )

    def _place(self, seconds: float) -> float:
        length = _SIZE - _LEFT - _RIGHT
        return round(length * (log10(max(_LEAST, seconds)) - self._low) / (self._high - self._low), 1)
