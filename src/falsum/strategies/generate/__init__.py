"""generate: well-sorted random scripts of any logic, from the operator tables alone."""

from __future__ import annotations

from falsum.strategies.generate.strategy import LOGICS, Generate

__all__ = ["LOGICS", "Generate"]
