"""Halving: which of many edits can be made together; large parts first, then one by one, doubling again.

It knows neither what is edited nor what has to stay true: whoever makes something small brings both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias, TypeVar

E = TypeVar("E")
# Whether these further edits go well; what will be tried next if they do not, for who asks ahead.
Attempt: TypeAlias = Callable[[Sequence[E], Iterator[Sequence[E]]], bool]
# Told of an edit that failed by itself, and how many in front of it went well in the same try.
Failed: TypeAlias = Callable[[E, int], None]

# When no part went well, smaller parts are tried only if there are so many edits for each.
_EDITS_FOR_A_PART: Final = 8


def halve(edits: Sequence[E], attempt: Attempt[E], failed: Failed[E], *, patience: int | None = None) -> None:
    """Every edit is accepted or has failed by itself; `patience`: failures in a row before giving up."""
    left = _in_parts(edits, attempt, failed)
    _one_by_one(left, attempt, failed, patience)


def _in_parts(edits: Sequence[E], attempt: Attempt[E], failed: Failed[E]) -> list[E]:
    """All, then halves of what failed, then their halves; what is left when that does not help any more.

    Where few edits fail, most of what is edited is gone soon, and what is left costs less to try.
    """
    parts = [edits] if edits else []
    while parts:
        failing, helped = [], False
        for number, part in enumerate(parts, 1):
            if attempt(part, iter(parts[number:])):
                helped = True
            elif len(part) > 1:
                failing.append(part)
            else:
                failed(part[0], 0)
        left = sum(map(len, failing))
        if not helped and 2 * len(failing) > max(2, left // _EDITS_FOR_A_PART):
            return [edit for part in failing for edit in part]
        parts = [half for part in failing for half in (part[: len(part) // 2], part[len(part) // 2 :])]
    return []


def _one_by_one(
    edits: Sequence[E], attempt: Attempt[E], failed: Failed[E], patience: int | None = None
) -> None:
    at, count, in_a_row = 0, 1, 0
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
