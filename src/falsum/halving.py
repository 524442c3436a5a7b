"""Halving: which of many edits can be made together; probes, doubles while that goes well, bisects when not.

It knows neither what is edited nor what has to stay true: whoever makes something small brings both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

E = TypeVar("E")
# Whether these further edits go well; what will be tried next if they do not, for who asks ahead.
Attempt: TypeAlias = Callable[[Sequence[E], Iterator[Sequence[E]]], bool]
# Told of an edit that failed by itself, and how many in front of it went well in the same try.
Failed: TypeAlias = Callable[[E, int], None]


def halve(edits: Sequence[E], attempt: Attempt[E], failed: Failed[E], *, patience: int | None = None) -> None:
    """Every edit is accepted or has failed by itself; `patience`: failures in a row before giving up."""
    at, count, in_a_row = 0, len(edits), 0
    while at < len(edits):
        count = min(count, len(edits) - at)
        ahead = (edits[n : n + 1] for n in range(at + 1, len(edits))) if count == 1 else iter(())
        if attempt(edits[at : at + count], ahead):
            at, count, in_a_row = at + count, count * 2, 0
            continue
        good = _longest_prefix(edits[at : at + count], attempt)
        failed(edits[at + good], good)
        at, count, in_a_row = at + good + 1, max(1, good), 0 if good else in_a_row + 1
        if patience is not None and in_a_row >= patience:
            return


def _longest_prefix(edits: Sequence[E], attempt: Attempt[E]) -> int:
    """How many of the edits in front can be accepted together, by bisection; not all of them can."""
    good, bad = 0, len(edits)
    while bad - good > 1:
        middle = (good + bad) // 2
        ahead = (edits[good : (good + n) // 2] for n in (middle,) if middle - good > 1)
        if attempt(edits[good:middle], ahead):
            good = middle
        else:
            bad = middle
    return good
