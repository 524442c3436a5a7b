"""Numbers with their nouns: `1 finding`, `2 findings`."""

from __future__ import annotations


def counted(count: int, noun: str, plural: str = "") -> str:
    """A number and its noun; the plural has an `s` unless it is given."""
    return f"{count} {noun if count == 1 else plural or f'{noun}s'}"
