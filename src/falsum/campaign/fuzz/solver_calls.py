"""SolverCalls: runs all solvers on one mutant, within time limits that follow the seed."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from falsum.campaign.search.refusals import Refusals
from falsum.campaign.search.time_rules import TimeLimits
from falsum.campaign.tally import FuzzTally
from falsum.defects.case import Case
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.store.records import MeasureRecord

_EASY = "(set-logic QF_UF)(check-sat)"
_ENDED_WELL = frozenset({EndingKind.FINISHED, EndingKind.REJECTED})
# What a request may take beyond the end of the batch.
_OVERTIME_SECONDS = 0.5
_HISTORY_LENGTH = 20


@dataclass(slots=True)
class SolverCalls:
    """A lab that counts and keeps time limits; `until` is when the batch ends (a monotonic time)."""

    lab: Lab
    time_limits: TimeLimits
    tally: FuzzTally
    until: float = float("inf")
    # Starting a host must not count against a mutant.
    without_host: set[str] = field(default_factory=set)
    # Solvers that have no hosts: every request is a process of its own.
    cold: frozenset[str] = frozenset()
    # The last requests to each solver: they explain a leak.
    history: dict[str, deque[tuple[str, Want]]] = field(default_factory=dict)
    # Solvers in other configurations, with the solvers they are compared with.
    variants: Mapping[str, str] = field(default_factory=dict)
    refusals: Refusals = field(default_factory=Refusals)
    # Solvers that timed out on the mutant before.
    late: set[str] = field(default_factory=set)

    def ask_all(
        self,
        case: Case,
        solvers: Sequence[str],
        measures: Mapping[str, MeasureRecord],
        *,
        statistics: bool = False,
    ) -> dict[str, Answer]:
        """The answers of the solvers; the fastest runs first, other configurations last.

        Solvers that reject every script of the logic are left out.
        """
        answers: dict[str, Answer] = {}
        given_up = False
        for solver in sorted(
            solvers, key=lambda name: (name in self.variants, _quickness(measures.get(name)))
        ):
            if self.refusals.expects_rejection(solver, case.text):
                continue
            limit = self.time_limits.seconds(
                measures.get(solver), given_up=given_up, late=solver in self.late
            )
            request = Request(solver, case.text, case.want, seconds=limit, statistics=statistics)
            answers[solver] = self.ask(request)
            is_late = _timed_out(answers[solver])
            (self.late.add if is_late else self.late.discard)(solver)
            given_up = given_up or is_late
            self.refusals.learn(solver, case.text, answers[solver])
        self._grant(case, answers)
        for solver, answer in answers.items():
            self.tally.count(solver, answer, is_variant=solver in self.variants)
        if given_up and not any(_decided(answer) for answer in answers.values()):
            self.tally.abandoned += 1
        return answers

    @property
    def solvers(self) -> tuple[str, ...]:
        return self.lab.solvers

    def ask(self, request: Request) -> Answer:
        """Warm requests keep to the limits of the batch; cold ones and repetitions are passed on."""
        if not request.cold and not request.again:
            return self._warm(request, granted=False)
        answer = self.lab.ask(request)
        self.tally.solver_cpu += answer.cpu
        self.tally.solver_seconds += answer.seconds
        return answer

    def _warm(self, request: Request, *, granted: bool) -> Answer:
        solver = request.solver
        if solver in self.without_host:
            self.without_host.discard(solver)
            self.history[solver] = deque([(_EASY, Want.VERDICT)], _HISTORY_LENGTH)
            self._count(self.lab.ask(Request(solver, _EASY, again=True)), granted=False)
        seconds = max(_OVERTIME_SECONDS, self.until - time.monotonic() + _OVERTIME_SECONDS)
        within = request.within(seconds)
        answer = self.lab.ask(replace(within, again=True) if granted else within)
        self._count(answer, granted=granted)
        self.history.setdefault(solver, deque(maxlen=_HISTORY_LENGTH)).append((request.script, request.want))
        if answer.ending.kind not in _ENDED_WELL and solver not in self.cold:
            self.without_host.add(solver)
        return answer

    def _grant(self, case: Case, answers: dict[str, Answer]) -> None:
        """Run solvers that timed out again, with a much longer limit, if another solver has decided."""
        if not any(_decided(answer) for answer in answers.values()):
            return
        late = [name for name, answer in answers.items() if _timed_out(answer) and name not in self.variants]
        for solver in late:
            if not self.time_limits.grants():
                return
            self.tally.timeout_seconds += answers[solver].seconds  # the first try was lost
            self.tally.granted += 1
            request = Request(solver, case.text, case.want, seconds=self.time_limits.granted_seconds)
            answers[solver] = self._warm(request, granted=True)

    def _count(self, answer: Answer, *, granted: bool) -> None:
        self.time_limits.spent(answer, granted=granted)
        self.tally.solver_seconds += answer.seconds
        self.tally.solver_cpu += answer.cpu


def _quickness(measure: MeasureRecord | None) -> float:
    return measure.seconds if measure and measure.ending == EndingKind.FINISHED else float("inf")


def _timed_out(answer: Answer) -> bool:
    return answer.ending.kind is EndingKind.TIMED_OUT


def _decided(answer: Answer) -> bool:
    return any(verdict.decided for verdict in answer.verdicts)
