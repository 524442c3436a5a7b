"""Checks: what is looked at while a library runs. A new one joins by a line in ALL.

A check sees every reply to the lines it is `about`, after the mirror has taken it in. It may complain
(`judge`), and it may want further calls at once (`wants`: while generating only, and after lines that are
waited for; they become lines of the trace, so a replay has them too). Crashes and exceptions need no check:
a run ends with them.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from falsum.api.checks import definitions, memory, models, repeated_answers, terms, verdicts
from falsum.api.checks.check import Check, Complaint, Observer


@cache
def by_word(checks: tuple[Check, ...]) -> dict[str, tuple[Check, ...]]:
    """The checks about each word."""
    words = dict.fromkeys(word for check in checks for word in check.about)
    return {word: tuple(check for check in checks if word in check.about) for word in words}


ALL: Final[tuple[Check, ...]] = (
    models.ModelHolds(),
    verdicts.CoreHolds(),
    verdicts.VerdictHolds(),
    verdicts.OneShotHolds(),
    terms.SortHolds(),
    terms.EqualHolds(),
    definitions.InterpolantHolds(),
    definitions.AbductHolds(),
    definitions.OptimumHolds(),
    definitions.LeastHolds(),
    definitions.ImpliedHolds(),
    definitions.EqualHere(),
    repeated_answers.SameVerdict(),
    repeated_answers.CoreAgain(),
    repeated_answers.OtherValue(),
    terms.ChildrenHold(),
    memory.VerdictsAgree(),
    memory.ValueIsAllowed(),
)
__all__ = ["ALL", "Check", "Complaint", "Observer", "by_word"]
