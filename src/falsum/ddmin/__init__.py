"""Generic minimisation, used for scripts and for traces: `ddmin` over any edits, and a cached predicate.

The edits and the predicate are the caller's.
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
