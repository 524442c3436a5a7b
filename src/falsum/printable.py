"""Makes text of solvers, seeds and file names safe to show."""

from __future__ import annotations

import re
from typing import Final

# Control characters but tab and newline, characters that reorder or break lines, surrogates, which stand for
# bytes that are not UTF-8. DEL does nothing on a terminal and may occur in JSON.
_UNSAFE: Final = re.compile("[\x00-\x08\x0b-\x1f\x80-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """The text with control characters as escapes of Python; lines and tabs stay."""
    return _UNSAFE.sub(_escape, text)


def on_one_line(text: str) -> str:
    """The text as from `printable`, for a comment or a title: line ends are escaped as well."""
    return printable(text).replace("\n", "\\n")


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"
