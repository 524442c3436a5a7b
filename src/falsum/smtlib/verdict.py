"""Verdict: the three answers to `(check-sat)`, and *missing* for a check without one."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """An answer to one `(check-sat)`; *missing* is no answer, which says nothing at all."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"
    MISSING = "no answer"

    @property
    def decided(self) -> bool:
        return self is Verdict.SAT or self is Verdict.UNSAT

    def contradicts(self, other: Verdict) -> bool:
        """Whether one is sat and the other unsat; nothing else contradicts anything."""
        return self.decided and other.decided and self is not other
