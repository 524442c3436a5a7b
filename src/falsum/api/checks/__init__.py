"""The checks of a library's replies; a new one joins by a line in ALL.

A check examines every reply to lines with its words, after the mirror has been updated. While a run is being
generated it may also add calls (`follow_ups`), which become lines of the trace, so that a replay has them as
well. Crashes and exceptions need no check: they end a run.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from falsum.api.checks import extra_answers, extra_terms, history, models, terms, verdicts
from falsum.api.checks.check import CheckFailure, RunCheck


@cache
def by_word(checks: tuple[RunCheck, ...]) -> dict[str, tuple[RunCheck, ...]]:
    """The checks of each word."""
    words = dict.fromkeys(word for check in checks for word in check.words)
    return {word: tuple(check for check in checks if word in check.words) for word in words}


ALL: Final[tuple[RunCheck, ...]] = (
    models.ModelCheck(),
    verdicts.CoreCheck(),
    verdicts.VerdictCheck(),
    verdicts.FreshSolverCheck(),
    terms.SortCheck(),
    terms.EqualTermCheck(),
    extra_terms.InterpolantCheck(),
    extra_terms.GoalInterpolantCheck(),
    extra_terms.AbductCheck(),
    extra_terms.MaximumCheck(),
    extra_terms.MinimumCheck(),
    extra_terms.ImpliedFormulaCheck(),
    extra_terms.EqualUnderAssertionsCheck(),
    extra_answers.SecondVerdictCheck(),
    extra_answers.SecondCoreCheck(),
    extra_answers.OtherValueCheck(),
    terms.ChildrenCheck(),
    history.MonotonicityCheck(),
    history.AssertedValueCheck(),
)
__all__ = ["ALL", "CheckFailure", "RunCheck", "by_word"]
