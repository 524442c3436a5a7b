"""Views of a lab: fewer solvers, cold processes only, a time limit, known answers, a record of all."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from falsum.errors import UsageError
from falsum.solvers.answer import Answer, Ending, EndingKind, Exchange
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want


@dataclass(frozen=True, slots=True)
class SubsetLab:
    """A lab with only some of its solvers."""

    lab: Lab
    solvers: tuple[str, ...]

    def ask(self, request: Request) -> Answer:
        if request.solver not in self.solvers:
            raise UsageError(f"there is no solver {request.solver!r} in this lab")
        return self.lab.ask(request)


def without(lab: Lab, solvers: Iterable[str]) -> SubsetLab:
    """The lab without some of its solvers."""
    excluded = frozenset(solvers)
    return SubsetLab(lab, tuple(name for name in lab.solvers if name not in excluded))


@dataclass(frozen=True, slots=True)
class _View:
    """The common part of all views of a lab."""

    lab: Lab

    @property
    def solvers(self) -> tuple[str, ...]:
        return self.lab.solvers


@dataclass(frozen=True, slots=True)
class ColdLab(_View):
    """A lab that answers everything in a fresh process, with its full time limit.

    `again` runs the solver even if the lab remembers such an answer.
    """

    again: bool = True

    def ask(self, request: Request) -> Answer:
        return self.lab.ask(replace(request, cold=True, again=self.again, seconds=None))


@dataclass(frozen=True, slots=True)
class RecordingLab(_View):
    """A lab that records every answer; a repeated request replaces the earlier answer."""

    recorded: list[tuple[Request, Answer]] = field(default_factory=list)

    def ask(self, request: Request) -> Answer:
        answer = self.lab.ask(request)
        self.recorded.append((request, answer))
        return answer

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        last = {request.key: Exchange(request, answer) for request, answer in self.recorded}
        return tuple(last.values())


@dataclass(frozen=True, slots=True)
class TimeLimitLab(_View):
    """A lab with a shorter time limit for every request.

    Once time-outs have taken more than `most_lost` seconds in total, every further answer is a time-out.
    """

    seconds: float
    most_lost: float = math.inf
    lost: list[float] = field(default_factory=list)

    def ask(self, request: Request) -> Answer:
        if sum(self.lost) > self.most_lost:
            return Answer((), Ending(EndingKind.TIMED_OUT))
        answer = self.lab.ask(request.within(self.seconds))
        if answer.ending.kind is EndingKind.TIMED_OUT:
            self.lost.append(answer.seconds)
        return answer


@dataclass(frozen=True, slots=True)
class DeadlineLab(_View):
    """A lab that stops running solvers at a point in time (monotonic); afterwards every answer is a time-out.

    `missed` has the solvers that were not run because of it.
    """

    until: float
    missed: set[str] = field(default_factory=set)

    def ask(self, request: Request) -> Answer:
        seconds_left = self.until - time.monotonic()
        if seconds_left <= 0:
            self.missed.add(request.solver)
            return Answer((), Ending(EndingKind.TIMED_OUT))
        return self.lab.ask(request.within(seconds_left))


@dataclass(frozen=True, slots=True)
class AnsweredLab:
    """A lab whose answers to one warm request are known; `limit` is the time limit for any other."""

    lab: Lab
    script: str
    want: Want
    answers: Mapping[str, Answer]
    limit: Callable[[str], float]

    @property
    def solvers(self) -> tuple[str, ...]:
        return tuple(self.answers)

    def ask(self, request: Request) -> Answer:
        if request.cold or request.again:
            return self.lab.ask(request)
        if request.script == self.script and request.want is self.want:
            return self.answers[request.solver]
        seconds = request.seconds or self.limit(request.solver)
        return self.lab.ask(replace(request, seconds=seconds))
