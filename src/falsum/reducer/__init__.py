"""→ Reduction. Makes a script small while a predicate about it stays true; knows no solver."""

from __future__ import annotations

from falsum.ddmin import Budget, Predicate, StopReason
from falsum.reducer.engine import Progress, Reduction, reduce

__all__ = ["Budget", "Predicate", "Progress", "Reduction", "StopReason", "reduce"]
