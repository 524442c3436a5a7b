"""Tokens as they are sent, so that every solver splits and reads them in the same way."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from falsum.solvers.inputs.harmless_names import harmless_name, has_sign

_TOKEN: Final = re.compile(r":?[A-Za-z0-9~!@$%^&*_+=<>.?/-]+|#[bxf][0-9a-fA-Fm]+|[()]")
_SYMBOL: Final = re.compile(
    r"[A-Za-z~!@$%^&*_+=<>.?/\u0080-\U0010ffff-][A-Za-z0-9~!@$%^&*_+=<>.?/\u0080-\U0010ffff-]*"
)
_BACKSLASH_AT_QUOTE: Final = re.compile(r'\\(?=")')
# What solvers read in strings in different ways: other characters than printable ASCII.
_UNUSUAL: Final = re.compile(r"[^\x20-\x7e]")
_LAST_CHARACTER: Final = 0x2FFFF  # of the standard's alphabet


def joined(tokens: list[str]) -> str:
    """Tokens as text, with spaces only where they are needed."""
    out = []
    before = "("
    for token in tokens:
        if before != "(" and token != ")":
            out.append(" ")
        out.append(token)
        before = token
    return "".join(out)


def safe_string(token: str) -> tuple[str, str]:
    """The string in printable ASCII, and a note on the difference; "" if that is not possible."""
    if token == '"' or any(not _is_character(character) for character in _UNUSUAL.findall(token)):
        return "", ""
    change = ""
    if _BACKSLASH_AT_QUOTE.search(token):
        token = _BACKSLASH_AT_QUOTE.sub(r"\\u{5c}", token)
        change = "backslashes before quotes written as \\u{5c}"
    if _UNUSUAL.search(token):
        token = _UNUSUAL.sub(lambda character: f"\\u{{{ord(character[0]):x}}}", token)
        change = "characters of strings written as escapes"
    return token, change


def _is_character(character: str) -> bool:
    """Whether a character is in the standard's alphabet, and no undecodable byte."""
    return ord(character) <= _LAST_CHARACTER and not 0xD800 <= ord(character) <= 0xDFFF


@lru_cache(maxsize=4096)
def safe_token(token: str) -> str:
    """A token other than a string, written so that every solver reads it alike; "" if that is not
    possible.
    """
    if token[0] == "|":
        return harmless_name(token) if len(token) > 1 else ""
    if _SYMBOL.fullmatch(token):
        return harmless_name(token) if token.isprintable() else ""
    return token if _TOKEN.fullmatch(token) and not has_sign(token) else ""


def is_plain(token: str) -> bool:
    """Whether a token is neither a string nor quoted, and is split alike by every solver."""
    return _TOKEN.fullmatch(token) is not None
