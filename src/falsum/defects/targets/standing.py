"""Standing: whether a solver shows a defect, or why that cannot be said."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from falsum.solvers.answer import Answer, EndingKind

_LONGEST_ANSWER: Final = 160


class Standing(StrEnum):
    """Whether a solver shows a defect: BAD if it does, GOOD if it does not; all other values say why neither
    is known.
    """

    BAD = "bad"
    GOOD = "good"
    UNKNOWN = "unknown"
    TIMED_OUT = "timed out"
    REJECTS = "rejected"
    CRASHES = "other crash"
    MISREADS = "reads it differently"
    MISSING = "not available"

    @property
    def decided(self) -> bool:
        return self in {Standing.BAD, Standing.GOOD}


def undecided(answer: Answer) -> Standing:
    """Why an answer without the verdict in question is inconclusive."""
    if answer.ending.kind is EndingKind.REJECTED:
        return Standing.REJECTS
    is_open = answer.finished or answer.ending.kind is EndingKind.ODD
    return Standing.UNKNOWN if is_open else Standing.TIMED_OUT


def without_crash(answer: Answer) -> Standing:
    """The standing for defects that any orderly answer disproves: good if the solver answered at all."""
    if not answer.is_silent and answer.ending.kind in {EndingKind.FINISHED, EndingKind.CRASHED}:
        return Standing.GOOD
    return undecided(answer)


def without_finding(answers: Sequence[Answer]) -> Standing:
    """The standing of a solver without a finding: good only if it answered every request, with verdicts
    or the requested output, and got more than the script itself.
    """
    for answer in answers:
        if answer.crashed:
            return Standing.CRASHES
        if answer.ending.kind is EndingKind.REJECTED:
            return Standing.REJECTS
        if answer.ending.kind is EndingKind.TIMED_OUT:
            return Standing.TIMED_OUT
        is_printed = not answer.verdicts and bool(answer.stdout.strip())
        if not answer.finished or not (is_printed or any(verdict.decided for verdict in answer.verdicts)):
            return Standing.UNKNOWN
    return Standing.GOOD if len(answers) > 1 else Standing.UNKNOWN


def answer_text(answer: Answer) -> str:
    """An answer, short enough for a table."""
    verdicts = " ".join(answer.words)
    if answer.finished:
        return verdicts or "nothing"
    ending = answer.ending.message if answer.crashed else str(answer.ending)
    return cut(" ".join(f"{verdicts} {ending}".split()))


def cut(text: str) -> str:
    """Text for a table, cut off with an ellipsis if it is too long."""
    return text if len(text) <= _LONGEST_ANSWER else text[: _LONGEST_ANSWER - 1] + "…"
