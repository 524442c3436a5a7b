"""LengthSteps: how a script became shorter step by step, as a small chart."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10
from typing import Final

from markupsafe import Markup, escape

_WIDTH: Final = 460
_HEIGHT: Final = 90
_MARGIN: Final = 6


@dataclass(frozen=True, slots=True)
class LengthSteps:
    """The lengths in bytes, that of the input first."""

    lengths: tuple[int, ...]

    @property
    def summary(self) -> str:
        steps = len(self.lengths) - 1
        return f"{self.lengths[0]} bytes before, {self.lengths[-1]} after {steps} accepted steps"

    def svg(self) -> Markup:
        """The lengths on a logarithmic scale."""
        most, least = log10(max(self.lengths) + 1), log10(min(self.lengths) + 1)
        room, span = _HEIGHT - 2 * _MARGIN, (most - least) or 1.0
        across = (_WIDTH - 2 * _MARGIN) / max(1, len(self.lengths) - 1)
        points: list[str] = []
        for place, length in enumerate(self.lengths):
            y = _MARGIN + room * (most - log10(length + 1)) / span
            if points:
                points.append(f"{_MARGIN + across * place:.1f},{points[-1].rpartition(',')[2]}")
            points.append(f"{_MARGIN + across * place:.1f},{y:.1f}")
        return Markup(  # noqa: S704 - numbers, and an escaped text
            f'<svg class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
            f'aria-label="{escape(self.summary)}">'
            f'<polyline class="line one" points="{" ".join(points)}"/></svg>'
        )
