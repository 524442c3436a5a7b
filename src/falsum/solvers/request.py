"""Request: a script for a solver, what is wanted besides the verdict, and how to run it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self


class Want(StrEnum):
    """What is requested besides the verdict."""

    VERDICT = "verdict"
    MODEL = "model"
    CORE = "core"
    ASSUMPTIONS = "unsat assumptions"


@dataclass(frozen=True, slots=True)
class Request:
    """A script for one solver of a lab.

    `cold` asks for a fresh process for this script alone; otherwise a running host may answer. `again` asks
    even if the lab remembers the answer. `statistics` asks a host for the solver's statistics, which a
    remembered answer may lack. `seconds` is a shorter time limit than the lab's; a remembered time-out is
    repeated if it may now take longer. `limit` is a limit of the solver's own with its value, as in `rlimit
    1000`, which takes a fresh process.
    """

    solver: str
    script: str
    want: Want = Want.VERDICT
    cold: bool = False
    again: bool = False
    seconds: float | None = None
    statistics: bool = False
    limit: str = ""

    @property
    def key(self) -> tuple[str, str, Want, bool, str]:
        """The identity of a request, whatever time it allows."""
        return self.solver, self.script, self.want, self.cold, self.limit

    def within(self, seconds: float) -> Self:
        """The same request with a time limit of at most these seconds."""
        if self.seconds is not None and self.seconds <= seconds:
            return self
        return replace(self, seconds=seconds)
