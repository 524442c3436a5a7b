"""pivot: any change that keeps the seed's model, or that leaves an unsat core alone."""

from __future__ import annotations

from falsum.strategies.pivot.strategy import Pivot

__all__ = ["Pivot"]
