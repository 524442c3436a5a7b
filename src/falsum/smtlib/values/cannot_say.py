"""CannotSay: the answer where a value is not known, with the reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CannotSay:
    """Stands in for a value that the standard, the model or the budget leaves open; `reason` says why."""

    reason: str
