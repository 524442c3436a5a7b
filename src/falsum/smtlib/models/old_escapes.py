r"""Escapes in strings that solvers wrote before SMT-LIB had a theory of strings, as the standard writes them.

In old models \x41, \101, \n and \\ are one character each; to the standard they are four, four, two and two.
"""

from __future__ import annotations

import re
from typing import Final

_LITERAL: Final = re.compile(r'"(?:[^"]|"")*"')
_OLD: Final = re.compile(r"\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|([abefnrtv\\]))")
_LETTERS: Final = {"\\": 92, "a": 7, "b": 8, "e": 27, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}


def readings(text: str) -> tuple[str, ...]:
    """The text and, if it differs, the text with its old escapes translated."""
    old = as_standard(text)
    return (text,) if old == text else (text, old)


def as_standard(text: str) -> str:
    """The text of a solver that writes old escapes, translated."""
    return _LITERAL.sub(lambda literal: _OLD.sub(_standard, literal[0]), text)


def _standard(escape: re.Match[str]) -> str:
    hexadecimal, octal, letter = escape.groups()
    code = _LETTERS[letter] if letter else int(hexadecimal or octal, 16 if hexadecimal else 8)
    return f"\\u{{{code:x}}}"
