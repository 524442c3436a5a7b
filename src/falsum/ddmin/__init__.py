"""Generic minimisation, used for scripts and for traces: `ddmin` over any edits, and a cached predicate.

It knows neither what is edited nor what has to stay true: the caller brings both.
"""

from __future__ import annotations

from falsum.ddmin.partition import Attempt, ddmin
from falsum.ddmin.predicate import Budget, BudgetExhaustedError, CachedPredicate, Predicate, StopReason

__all__ = [
    "Attempt",
    "Budget",
    "BudgetExhaustedError",
    "CachedPredicate",
    "Predicate",
    "StopReason",
    "ddmin",
]
