"""Checks: what is looked at while a library runs. A new one joins by a line in ALL.

A check sees every line that asks something, after the mirror has taken it in. It may want further calls at
once (`wants`: while generating only; they become lines of the trace, so a replay has them too), and it may
complain (`judge`). Crashes and exceptions need no check: a run ends with them.
"""

from __future__ import annotations

from typing import Final

from falsum.api.checks import about_terms, by_definition, memory, models, once_more, verdicts
from falsum.api.checks.check import Check, Complaint, Observer

ALL: Final[tuple[Check, ...]] = (
    models.ModelHolds(),
    verdicts.CoreHolds(),
    verdicts.VerdictHolds(),
    verdicts.OneShotHolds(),
    about_terms.SortHolds(),
    about_terms.EqualHolds(),
    by_definition.InterpolantHolds(),
    by_definition.AbductHolds(),
    by_definition.OptimumHolds(),
    by_definition.LeastHolds(),
    by_definition.ImpliedHolds(),
    by_definition.EqualHere(),
    once_more.SameVerdict(),
    once_more.CoreAgain(),
    once_more.OtherValue(),
    about_terms.ChildrenHold(),
    memory.VerdictsAgree(),
    memory.ValueIsAllowed(),
)
__all__ = ["ALL", "Check", "Complaint", "Observer"]
