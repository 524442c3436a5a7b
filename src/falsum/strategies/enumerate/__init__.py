"""enumerate: every formula over a theory's operators, smallest first (after ET, Winterer and Su, 2024)."""

from __future__ import annotations

from falsum.strategies.enumerate.strategy import Enumerate, themes

__all__ = ["Enumerate", "themes"]
