"""rewrite: equivalent scripts, by the laws of all theories and by structural rules."""

from __future__ import annotations

from falsum.strategies.rewrite.strategy import Rewrite

__all__ = ["Rewrite"]
