r"""Old escapes: what solvers from before the standard's string theory write in literals, in its own escapes.

\x41, \101 and \n are one character each in their models; to the standard they are four, four and two.
"""

from __future__ import annotations

import re
from typing import Final

_LITERAL: Final = re.compile(r'"(?:[^"]|"")*"')
_OLD: Final = re.compile(r"\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|([abefnrtv]))")
_LETTERS: Final = {"a": 7, "b": 8, "e": 27, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}


def readings(text: str) -> tuple[str, ...]:
    """All that a model or a script may mean: as it stands, and with its old escapes, if it has any."""
    old = _LITERAL.sub(lambda literal: _OLD.sub(_standard, literal[0]), text)
    return (text,) if old == text else (text, old)


def _standard(escape: re.Match[str]) -> str:
    hexadecimal, octal, letter = escape.groups()
    code = _LETTERS[letter] if letter else int(hexadecimal or octal, 16 if hexadecimal else 8)
    return f"\\u{{{code:x}}}"
