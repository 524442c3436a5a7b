"""histfuzz: skeletons of a seed filled with atoms of other scripts, mostly old bug triggers."""

from __future__ import annotations

from falsum.strategies.histfuzz.strategy import HistFuzz

__all__ = ["HistFuzz"]
