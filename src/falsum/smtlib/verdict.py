"""Verdict: the three answers to `(check-sat)`."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """An answer to one `(check-sat)`."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"

    @property
    def decided(self) -> bool:
        return self is not Verdict.UNKNOWN

    def contradicts(self, other: Verdict) -> bool:
        """Whether one is sat and the other unsat; *unknown* contradicts nothing."""
        return self.decided and other.decided and self is not other
