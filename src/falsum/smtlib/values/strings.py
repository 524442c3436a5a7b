"""Strings over the code points 0 to 0x2FFFF: operators of SMT-LIB and of solvers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from falsum.smtlib.values import derivatives, integers
from falsum.smtlib.values.cannot_say import CannotSay
from falsum.smtlib.values.regexes import MAX_CODE

if TYPE_CHECKING:
    from falsum.smtlib.values.regexes import Regex

MAX_LENGTH = 1 << 18

_TOO_LONG = CannotSay("string too long")
_DIGITS = re.compile("[0-9]+", re.ASCII)
_ESCAPE = re.compile(r'\\u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,4}|[0-2][0-9a-fA-F]{4})\})|""')
# Some solvers read more escape sequences than the standard has (\x41, \u{30000}), so a backslash that could
# start one of these is escaped.
_UNSAFE = re.compile(r'[^ -~]|"|\\(?=[ux])')
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_UPPER = {code + 32: code for code in _LOWER}


def decode_literal(raw: str) -> str:
    """The payload of a literal, given without its quotes."""

    def decoded(escape: re.Match[str]) -> str:
        digits = escape[1] or escape[2]
        return chr(int(digits, 16)) if digits else '"'

    return _ESCAPE.sub(decoded, raw)


def encode_literal(payload: str) -> str:
    """The literal of a payload, with quotes."""

    def encoded(unsafe: re.Match[str]) -> str:
        return '""' if unsafe[0] == '"' else f"\\u{{{ord(unsafe[0]):x}}}"

    return f'"{_UNSAFE.sub(encoded, payload)}"'


def length(s: str) -> int:
    return len(s)


def concat(*parts: str) -> str | CannotSay:
    return _TOO_LONG if sum(map(len, parts)) > MAX_LENGTH else "".join(parts)


def at(s: str, i: int) -> str:
    return substr(s, i, 1)


def substr(s: str, start: int, count: int) -> str:
    return s[start : start + count] if 0 <= start < len(s) and count > 0 else ""


def prefixof(prefix: str, s: str) -> bool:
    return s.startswith(prefix)


def suffixof(suffix: str, s: str) -> bool:
    return s.endswith(suffix)


def contains(s: str, part: str) -> bool:
    return part in s


def indexof(s: str, part: str, start: int = 0) -> int:
    # Like Python for "" at the end and beyond, but Python counts negative starts from the right.
    return s.find(part, start) if 0 <= start <= len(s) else -1


def replace(s: str, old: str, new: str) -> str | CannotSay:
    """Replaces the first occurrence; the empty string occurs at the front."""
    return _TOO_LONG if len(s) + len(new) > MAX_LENGTH else s.replace(old, new, 1)


def replace_all(s: str, old: str, new: str) -> str | CannotSay:
    if not old:
        return s
    if len(s) + s.count(old) * len(new) > MAX_LENGTH:
        return _TOO_LONG
    return s.replace(old, new)


def replace_re(s: str, r: Regex, new: str, budget: int = derivatives.STEPS) -> str | CannotSay:
    """Replaces the shortest leftmost match, which may be empty."""
    match = derivatives.shortest_leftmost(r, s, nonempty=False, budget=budget)
    if match is None:
        return s
    if isinstance(match, CannotSay):
        return match
    start, end = match
    return concat(s[:start], new, s[end:])


def replace_re_all(s: str, r: Regex, new: str, budget: int = derivatives.STEPS) -> str | CannotSay:
    """Replaces every shortest leftmost non-empty match, from left to right."""
    search = derivatives.Search(budget)
    parts: list[str] = []
    position = 0
    while True:
        match = search.shortest_leftmost(r, s, nonempty=True, start=position)
        if isinstance(match, CannotSay):
            return match
        if match is None:
            return concat(*parts, s[position:])
        start, end = match
        parts += (s[position:start], new)
        position = end


def indexof_re(s: str, r: Regex, start: int, budget: int = derivatives.STEPS) -> int | CannotSay:
    """cvc5's `str.indexof_re`: the start of the first match at or after `start`, or -1."""
    if not 0 <= start <= len(s):
        return -1
    match = derivatives.Search(budget).shortest_leftmost(r, s, nonempty=False, start=start)
    if isinstance(match, CannotSay):
        return match
    return -1 if match is None else match[0]


def in_re(s: str, r: Regex, budget: int = derivatives.STEPS) -> bool | CannotSay:
    return derivatives.matches(r, s, budget)


def lt(s: str, t: str) -> bool:
    return s < t


def leq(s: str, t: str) -> bool:
    return s <= t


def is_digit(s: str) -> bool:
    return len(s) == 1 and "0" <= s <= "9"


def to_code(s: str) -> int:
    return ord(s) if len(s) == 1 else -1


def from_code(code: int) -> str:
    return chr(code) if 0 <= code <= MAX_CODE else ""


def to_int(s: str) -> int | CannotSay:
    if not _DIGITS.fullmatch(s):
        return -1
    digits = s.lstrip("0")
    # A decimal digit has less than four bits.
    if 4 * len(digits) > integers.MAX_BITS:
        return CannotSay("integer too big")
    return integers.from_decimal(digits or "0")


def from_int(n: int) -> str:
    return integers.to_decimal(n) if n >= 0 else ""


def rev(s: str) -> str:
    return s[::-1]


def to_lower(s: str) -> str:
    """The string with upper-case ASCII letters in lower case."""
    return s.translate(_LOWER)


def to_upper(s: str) -> str:
    """The string with lower-case ASCII letters in upper case."""
    return s.translate(_UPPER)


def update(s: str, start: int, new: str) -> str:
    """cvc5's `str.update`: overwrites `s` from `start` on without making it longer."""
    if not 0 <= start < len(s):
        return s
    return s[:start] + new[: len(s) - start] + s[start + len(new) :]


def from_ubv(w: int, x: int) -> str:  # noqa: ARG001
    """z3's `str.from_ubv`."""
    return integers.to_decimal(x)


def from_sbv(w: int, x: int) -> str:
    """z3's `str.from_sbv`; negative numbers have a minus sign."""
    return f"-{integers.to_decimal((1 << w) - x)}" if x >> (w - 1) else integers.to_decimal(x)
