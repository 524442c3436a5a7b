"""Views of a lab: fewer solvers, always cold, in a hurry, or with every answer written down."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from falsum.errors import UsageError
from falsum.oracles.finding import Exchange
from falsum.solvers.answer import Answer, Ending, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.question import Want


@dataclass(frozen=True, slots=True)
class Some:
    """A lab of which only some solvers are seen."""

    lab: Lab
    solvers: tuple[str, ...]

    def ask(
        self,
        solver: str,
        script: str,
        want: Want = Want.VERDICT,
        *,
        cold: bool = False,
        again: bool = False,
        seconds: float | None = None,
    ) -> Answer:
        if solver not in self.solvers:
            raise UsageError(f"there is no solver {solver!r} in this lab")
        return self.lab.ask(solver, script, want, cold=cold, again=again, seconds=seconds)


@dataclass(frozen=True, slots=True)
class Cold:
    """A lab that asks everything in a fresh process, with all the time there is."""

    lab: Lab

    @property
    def solvers(self) -> tuple[str, ...]:
        return self.lab.solvers

    def ask(
        self,
        solver: str,
        script: str,
        want: Want = Want.VERDICT,
        *,
        cold: bool = False,  # noqa: ARG002 - whatever is asked for
        again: bool = False,  # noqa: ARG002
        seconds: float | None = None,  # noqa: ARG002
    ) -> Answer:
        return self.lab.ask(solver, script, want, cold=True, again=True)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A lab whose every answer is kept; asking again replaces the earlier one."""

    lab: Lab
    taken: dict[tuple[str, str, Want, bool], Exchange] = field(default_factory=dict)

    @property
    def solvers(self) -> tuple[str, ...]:
        return self.lab.solvers

    def ask(
        self,
        solver: str,
        script: str,
        want: Want = Want.VERDICT,
        *,
        cold: bool = False,
        again: bool = False,
        seconds: float | None = None,
    ) -> Answer:
        answer = self.lab.ask(solver, script, want, cold=cold, again=again, seconds=seconds)
        self.taken[solver, script, want, cold] = Exchange(solver, script, want, cold, answer)
        return answer

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        return tuple(self.taken.values())


@dataclass(frozen=True, slots=True)
class Hurried:
    """A lab in which nobody has more time than is left; afterwards every answer comes too late.

    `missed` has the solvers that were not asked any more.
    """

    lab: Lab
    until: float
    missed: set[str] = field(default_factory=set)

    @property
    def solvers(self) -> tuple[str, ...]:
        return self.lab.solvers

    def ask(
        self,
        solver: str,
        script: str,
        want: Want = Want.VERDICT,
        *,
        cold: bool = False,
        again: bool = False,
        seconds: float | None = None,
    ) -> Answer:
        left = self.until - time.monotonic()
        if left <= 0:
            self.missed.add(solver)
            return Answer((), Ending(EndingKind.TIMED_OUT))
        limit = left if seconds is None else min(left, seconds)
        return self.lab.ask(solver, script, want, cold=cold, again=again, seconds=limit)


def without(lab: Lab, solvers: Iterable[str]) -> Some:
    """The lab without some of its solvers."""
    gone = frozenset(solvers)
    return Some(lab, tuple(name for name in lab.solvers if name not in gone))
