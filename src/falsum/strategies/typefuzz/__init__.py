"""typefuzz: generative type-aware mutation (Park et al., OOPSLA 2021), over all theories."""

from __future__ import annotations

from falsum.strategies.typefuzz.strategy import TypeFuzz

__all__ = ["TypeFuzz"]
