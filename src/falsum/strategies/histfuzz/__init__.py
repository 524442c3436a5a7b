"""histfuzz: skeletons of a seed filled with atoms of other scripts, old bug triggers most of all."""

from __future__ import annotations

from falsum.strategies.histfuzz.strategy import HistFuzz

__all__ = ["HistFuzz"]
