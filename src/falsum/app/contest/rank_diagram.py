"""RankDiagram: mean ranks on a line, with bars over those that do not differ; as inline SVG."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup, escape

_WIDTH: Final = 640
_LEFT, _RIGHT = 150, 40
_ROW: Final = 20
_TOP: Final = 34


@dataclass(frozen=True, slots=True)
class RankDiagram:
    """Mean ranks of fuzzers; two fuzzers differ at 5 % if their mean ranks are further apart than
    `difference`.
    """

    ranks: Mapping[str, float]
    difference: float
    blocks: int

    @property
    def ordered(self) -> list[tuple[str, float]]:
        return sorted(self.ranks.items(), key=lambda row: (row[1], row[0]))

    @property
    def summary(self) -> str:
        """The diagram in words, for those who cannot see it."""
        ranks = ", ".join(f"{name} {rank:.2f}" for name, rank in self.ordered)
        return f"Mean ranks over {self.blocks} trials, 1 is best; {self.difference:.2f} apart differ: {ranks}"

    def svg(self) -> Markup:
        height = _TOP + _ROW * len(self.ranks) + 12
        label = escape(self.summary)
        parts = [f'<svg class="plot" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{label}">']
        for mark in range(1, len(self.ranks) + 1):
            x = self._x(mark)
            parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{_TOP - 8}" y2="{height - 12}"/>')
            parts.append(f'<text class="middle" x="{x}" y="{_TOP - 14}">{mark}</text>')
        for place, (name, rank) in enumerate(self.ordered):
            y = _TOP + _ROW * place + 6
            low, high = self._x(rank - self.difference / 2), self._x(rank + self.difference / 2)
            parts += [
                f'<text class="end" x="{_LEFT - 12}" y="{y + 4}">{escape(name)}</text>',
                f'<line class="line three" x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>',
                f'<circle class="area one" cx="{self._x(rank)}" cy="{y}" r="4"/>',
            ]
        # Every piece of text in it was escaped above.
        return Markup("".join([*parts, "</svg>"]))  # noqa: S704

    def _x(self, rank: float) -> float:
        most = max(2, len(self.ranks))
        share = (min(max(rank, 1.0), most) - 1) / (most - 1)
        return round(_LEFT + (_WIDTH - _LEFT - _RIGHT) * share, 1)
