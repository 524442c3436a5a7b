"""→ Reduction. Makes a script small while a question about it stays yes."""

from __future__ import annotations

from falsum.reducer.engine import Budget, Reduction, StopReason, reduce

__all__ = ["Budget", "Reduction", "StopReason", "reduce"]
