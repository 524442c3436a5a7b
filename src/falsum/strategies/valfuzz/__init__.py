"""valfuzz: other constants, chosen by Boolean sub-expression coercion (Wolff, ETH Zürich, 2020)."""

from __future__ import annotations

from falsum.strategies.valfuzz.strategy import CONFIGURATIONS, ValFuzz

__all__ = ["CONFIGURATIONS", "ValFuzz"]
