"""storm: new formulas from the fragments of a seed (Mansur et al., ESEC/FSE 2020)."""

from __future__ import annotations

from falsum.strategies.storm.strategy import Storm

__all__ = ["Storm"]
