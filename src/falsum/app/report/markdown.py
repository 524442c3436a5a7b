"""Pieces of Markdown that reports are made of."""

from __future__ import annotations


def section(heading: str, text: str, level: int = 2) -> str:
    return f"{'#' * level} {heading}\n\n{text}"


def fenced(text: str, language: str = "text") -> str:
    """A code block that nothing inside can close; nothing for an empty text."""
    if not text.strip():
        return ""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text.strip()}\n{fence}"


def joined(*parts: str) -> str:
    """Parts with an empty line between them; empty ones are left out."""
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def shortened(text: str, length: int) -> str:
    flat = text.strip()
    return flat if len(flat) <= length else flat[: length - 1] + "…"
