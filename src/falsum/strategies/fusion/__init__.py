"""fusion: two seeds joined into one script by fused constants (Winterer et al., PLDI 2020)."""

from __future__ import annotations

from falsum.strategies.fusion.strategy import Fusion

__all__ = ["Fusion"]
