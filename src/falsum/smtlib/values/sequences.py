"""Sequences as tuples of payloads, with operators like those of strings."""

from __future__ import annotations

from typing import TypeVar

from falsum.smtlib.values.cannot_say import CannotSay

MAX_LENGTH = 1 << 16

T = TypeVar("T")

_TOO_LONG = CannotSay("sequence too long")


def unit(element: T) -> tuple[T, ...]:
    return (element,)


def length(s: tuple[T, ...]) -> int:
    return len(s)


def concat(*parts: tuple[T, ...]) -> tuple[T, ...] | CannotSay:
    if sum(map(len, parts)) > MAX_LENGTH:
        return _TOO_LONG
    return tuple(element for part in parts for element in part)


def at(s: tuple[T, ...], i: int) -> tuple[T, ...]:
    return extract(s, i, 1)


def nth(s: tuple[T, ...], i: int) -> T | None:
    """The element at an index; open outside the sequence."""
    return s[i] if 0 <= i < len(s) else None


def extract(s: tuple[T, ...], start: int, count: int) -> tuple[T, ...]:
    return s[start : start + count] if 0 <= start < len(s) and count > 0 else ()


def update(s: tuple[T, ...], start: int, new: tuple[T, ...]) -> tuple[T, ...]:
    """cvc5's `seq.update`: overwrites `s` from `start` on without making it longer."""
    if not 0 <= start < len(s):
        return s
    return s[:start] + new[: len(s) - start] + s[start + len(new) :]


def prefixof(prefix: tuple[T, ...], s: tuple[T, ...]) -> bool:
    return s[: len(prefix)] == prefix


def suffixof(suffix: tuple[T, ...], s: tuple[T, ...]) -> bool:
    return len(suffix) <= len(s) and s[len(s) - len(suffix) :] == suffix


def contains(s: tuple[T, ...], part: tuple[T, ...]) -> bool:
    return indexof(s, part, 0) >= 0


def indexof(s: tuple[T, ...], part: tuple[T, ...], start: int = 0) -> int:
    """The first occurrence at or after `start`, or -1; the empty sequence occurs everywhere."""
    if not 0 <= start <= len(s):
        return -1
    # Linear search (Knuth, Morris, Pratt): both sides may have tens of thousands of elements.
    borders = _borders(part)
    prefix = 0
    if not part:
        return start
    for place in range(start, len(s)):
        while prefix and s[place] != part[prefix]:
            prefix = borders[prefix - 1]
        if s[place] == part[prefix]:
            prefix += 1
        if prefix == len(part):
            return place - prefix + 1
    return -1


def last_indexof(s: tuple[T, ...], part: tuple[T, ...]) -> int:
    """z3's `seq.last_indexof`: the last occurrence, or -1."""
    place = indexof(s[::-1], part[::-1], 0)
    return place if place < 0 else len(s) - place - len(part)


def replace(s: tuple[T, ...], old: tuple[T, ...], new: tuple[T, ...]) -> tuple[T, ...] | CannotSay:
    """Replaces the first occurrence; the empty sequence occurs at the front."""
    place = indexof(s, old, 0)
    return s if place < 0 else concat(s[:place], new, s[place + len(old) :])


def replace_all(s: tuple[T, ...], old: tuple[T, ...], new: tuple[T, ...]) -> tuple[T, ...] | CannotSay:
    """Replaces every occurrence, from left to right; an empty sequence is not replaced."""
    if not old:
        return s
    parts: list[tuple[T, ...]] = []
    total = position = 0
    while (place := indexof(s, old, position)) >= 0:
        parts += (s[position:place], new)
        total += place - position + len(new)
        if total > MAX_LENGTH:
            return _TOO_LONG
        position = place + len(old)
    return concat(*parts, s[position:])


def rev(s: tuple[T, ...]) -> tuple[T, ...]:
    return s[::-1]


def _borders(part: tuple[T, ...]) -> list[int]:
    """For each prefix, the length of its longest proper prefix that is also a suffix of it."""
    borders = [0] * len(part)
    prefix = 0
    for place in range(1, len(part)):
        while prefix and part[place] != part[prefix]:
            prefix = borders[prefix - 1]
        if part[place] == part[prefix]:
            prefix += 1
        borders[place] = prefix
    return borders
