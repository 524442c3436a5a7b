"""The answer of a meaning that would cost more than its budget allows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CannotSay:
    """Not a payload and not an open point: the reason is for people and for counting."""

    reason: str
