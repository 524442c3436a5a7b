"""BarChart: counts as horizontal bars, as inline SVG in the colours of the plots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup, escape

from falsum.app.pages.plots import number_text, value_ticks

ROLES: Final = ("one", "two", "three", "four", "five", "six")
_WIDTH: Final = 640
_LEFT, _RIGHT, _TOP, _BOTTOM = 190, 46, 28, 22
_BAR: Final = 14
_GAP: Final = 6
_LETTER: Final = 7.5  # about the width of a letter
_LONGEST_LABEL: Final = 25
_MOST_BARS: Final = 40
_REST: Final = "others"


@dataclass(frozen=True, slots=True)
class BarChart:
    """A bar chart: `parts` has a row of counts for each of `names`; the parts of a bar are stacked."""

    title: str
    labels: tuple[str, ...]
    names: tuple[str, ...]
    parts: tuple[tuple[int, ...], ...]

    @property
    def summary(self) -> str:
        """The chart in words, for those who cannot see it."""
        parts = [f"{label} {sum(part[place] for part in self.parts)}"
                 for place, label in enumerate(self.labels[:_MOST_BARS])]  # fmt: skip
        return f"{self.title}: {', '.join(parts) or 'none'}{self._more}"

    @property
    def _more(self) -> str:
        """How many bars a long chart does not have."""
        rest = len(self.labels) - _MOST_BARS
        return f"; {rest} more in the table" if rest > 0 else ""

    def svg(self, style: str = "") -> Markup:
        """The chart as SVG; with a style of its own it is a complete file."""
        names, parts = self._coloured()
        labels = self.labels[:_MOST_BARS]
        height = _TOP + (len(labels) + bool(self._more)) * (_BAR + _GAP) + _BOTTOM
        totals = [sum(part[place] for part in parts) for place in range(len(labels))]
        ticks = value_ticks(max(totals, default=0), whole=True)
        namespace = ' xmlns="http://www.w3.org/2000/svg"' if style else ""
        pieces = [
            f'<svg{namespace} class="plot" viewBox="0 0 {_WIDTH} {height}" role="img"',
            f' aria-label="{escape(self.summary)}">',
            f"<style>{style}</style>" if style else "",
            *_legend(names),
            *_grid(ticks, height),
        ]
        for place, label in enumerate(labels):
            values = [part[place] for part in parts]
            pieces += _bar(label, names, values, _TOP + place * (_BAR + _GAP), ticks[-1])
        if self._more:
            pieces.append(
                f'<text class="end" x="{_LEFT - 6}" y="{height - _BOTTOM - _GAP}">{self._more[2:]}</text>'
            )
        # Every piece of text in it was escaped above.
        return Markup("".join([*pieces, "</svg>"]))  # noqa: S704

    def _coloured(self) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
        """Names and parts, limited to the number of colours: the last stands for all the rest."""
        last = len(ROLES) - 1
        if len(self.names) <= len(ROLES):
            return self.names, self.parts
        rest = tuple(map(sum, zip(*self.parts[last:], strict=True)))
        return (*self.names[:last], _REST), (*self.parts[:last], rest)


def _x(value: float, most: float) -> float:
    return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * value / most, 1)


def _legend(names: tuple[str, ...]) -> list[str]:
    pieces, x = [], float(_LEFT)
    for role, name in zip(ROLES, names, strict=False):
        pieces.append(f'<rect class="area {role}" x="{x:g}" y="4" width="10" height="10"/>')
        pieces.append(f'<text x="{x + 14:g}" y="13">{escape(name)}</text>')
        x += 14 + _LETTER * len(name) + 14
    return pieces


def _grid(ticks: list[float], height: int) -> list[str]:
    pieces = []
    for tick in ticks:
        x = _x(tick, ticks[-1])
        bottom = height - _BOTTOM
        pieces.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{_TOP - 4}" y2="{bottom}"/>')
        pieces.append(f'<text class="middle" x="{x}" y="{height - 6}">{escape(number_text(tick))}</text>')
    return pieces


def _bar(label: str, names: tuple[str, ...], values: list[int], y: int, most: float) -> list[str]:
    text = label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"
    pieces = [f'<text class="end" x="{_LEFT - 6}" y="{y + 11}">{escape(text)}</text>']
    start = 0
    for role, name, value in zip(ROLES, names, values, strict=False):
        if value:
            x, width = _x(start, most), round(_x(start + value, most) - _x(start, most), 1)
            pieces.append(
                f'<rect class="area {role}" x="{x}" y="{y}" width="{width}" height="{_BAR}">'
                f"<title>{escape(f'{label}, {name}: {value}')}</title></rect>"
            )
        start += value
    pieces.append(f'<text x="{_x(start, most) + 5:g}" y="{y + 11}">{start}</text>')
    return pieces
