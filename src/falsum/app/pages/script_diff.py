"""Differences between two scripts, line by line, as a page shows them."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Final

from falsum.errors import ScriptError
from falsum.smtlib import print_script, read_script

_MOST_LINES: Final = 1500
_CONTEXT: Final = 3
_WORDS: Final = {"+": "added", "-": "removed", " ": "same", "@": "gap"}


@dataclass(frozen=True, slots=True)
class DiffLine:
    """`change` is added, removed, same or gap."""

    change: str
    text: str


def script_diff(before: str, after: str) -> list[DiffLine] | None:
    """The differences between two scripts; None if they are too long to compare.

    Both are printed in the same layout first, so that layout makes no difference.
    """
    old, new = _lines(before), _lines(after)
    if max(len(old), len(new)) > _MOST_LINES:
        return None
    lines = [
        DiffLine(_WORDS[line[0]], "…" if line[0] == "@" else line[1:])
        for line in list(difflib.unified_diff(old, new, n=_CONTEXT, lineterm=""))[2:]
    ]
    return lines[1:] if lines and lines[0].change == "gap" else lines


def _lines(text: str) -> list[str]:
    try:
        return print_script(read_script(text)).splitlines()
    except (ScriptError, RecursionError):
        return text.splitlines()
