"""Oracle: what every way of knowing that an answer is wrong has in common."""

from __future__ import annotations

from typing import Protocol

from falsum.oracles.case import Case
from falsum.oracles.finding import Finding
from falsum.solvers.lab import Lab


class Oracle(Protocol):
    """To reproduce is to judge again and compare."""

    @property
    def name(self) -> str: ...

    @property
    def alone(self) -> bool:
        """Whether it can accuse a solver without hearing the others."""
        ...

    def judge(self, case: Case, lab: Lab) -> Finding | None:
        """The first thing wrong with what the solvers of the lab say, or None.

        *unknown*, a time-out and a rejection are never wrong. It asks as the case was asked first, so a lab
        that remembers answers at once.
        """
        ...
