"""Delta debugging over edits: which of many edits can be applied together.

After ddmin (Zeller and Hildebrandt, 2002), with two differences: parts are split only as long as that
helps, and what is left is tried one by one, in runs that double while they succeed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias, TypeVar

E = TypeVar("E")
# Applies further edits if the result is still good, and says whether it did. The second argument holds what
# will be attempted next if it is not, for callers that evaluate candidates ahead of time.
Attempt: TypeAlias = Callable[[Sequence[E], Iterator[Sequence[E]]], bool]
# Called with an edit that failed on its own, and the number of edits accepted just before it in one attempt.
Failed: TypeAlias = Callable[[E, int], None]

# If no part succeeds, parts are split further only while there are at least this many edits for each.
_EDITS_PER_PART: Final = 8


def ddmin(
    edits: Sequence[E], attempt: Attempt[E], failed: Failed[E], *, max_failures: int | None = None
) -> None:
    """Attempts every edit, many at once; in the end each was accepted or has failed on its own.

    With `max_failures` it gives up after that many failures in a row, once edits are tried one by one.
    """
    remaining = _in_parts(edits, attempt, failed)
    _one_by_one(remaining, attempt, failed, max_failures)


def _in_parts(edits: Sequence[E], attempt: Attempt[E], failed: Failed[E]) -> list[E]:
    """Attempts all edits, then the halves of what failed, and so on; returns the edits still undecided.

    Where few edits fail, most of the input is gone early, and every further attempt is cheaper.
    """
    parts = [edits] if edits else []
    while parts:
        failing, any_accepted = [], False
        for number, part in enumerate(parts, 1):
            if attempt(part, iter(parts[number:])):
                any_accepted = True
            elif len(part) > 1:
                failing.append(part)
            else:
                failed(part[0], 0)
        left = sum(map(len, failing))
        if not any_accepted and 2 * len(failing) > max(2, left // _EDITS_PER_PART):
            return [edit for part in failing for edit in part]
        parts = [half for part in failing for half in (part[: len(part) // 2], part[len(part) // 2 :])]
    return []


def _one_by_one(edits: Sequence[E], attempt: Attempt[E], failed: Failed[E], max_failures: int | None) -> None:
    start, count, failures_in_a_row = 0, 1, 0
    while start < len(edits):
        count = min(count, len(edits) - start)
        ahead = (edits[n : n + 1] for n in range(start + 1, len(edits))) if count == 1 else iter(())
        if attempt(edits[start : start + count], ahead):
            start, count, failures_in_a_row = start + count, count * 2, 0
            continue
        accepted = _longest_prefix(edits[start : start + count], attempt)
        failed(edits[start + accepted], accepted)
        failures_in_a_row = 0 if accepted else failures_in_a_row + 1
        start, count = start + accepted + 1, max(1, accepted)
        if max_failures is not None and failures_in_a_row >= max_failures:
            return


def _longest_prefix(edits: Sequence[E], attempt: Attempt[E]) -> int:
    """Accepts as many of the first edits as possible, by bisection; returns how many. Not all of them fit."""
    good, bad = 0, len(edits)
    while bad - good > 1:
        middle = (good + bad) // 2
        ahead = (edits[good : (good + n) // 2] for n in (middle,) if middle - good > 1)
        if attempt(edits[good:middle], ahead):
            good = middle
        else:
            bad = middle
    return good
