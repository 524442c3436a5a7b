"""Verdict: the three answers to `(check-sat)`, and *missing* for a check without an answer."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """The answer to one `(check-sat)`; *missing* means that there is none."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"
    MISSING = "no answer"

    @property
    def decided(self) -> bool:
        return self is Verdict.SAT or self is Verdict.UNSAT

    def contradicts(self, other: Verdict) -> bool:
        """Whether one verdict is sat and the other unsat."""
        return self.decided and other.decided and self is not other
