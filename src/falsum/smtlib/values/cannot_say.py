"""CannotSay: the result of an evaluation whose value is not known."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CannotSay:
    """Takes the place of a value that the standard or the model leaves open, or that exceeds a budget."""

    reason: str
