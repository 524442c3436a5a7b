"""enumerate: every formula over a theory's operators, smallest first (after ET, Winterer and Su, 2024)."""

from __future__ import annotations

from falsum.strategies.enumerate.strategy import THEMES, Enumerate

__all__ = ["THEMES", "Enumerate"]
