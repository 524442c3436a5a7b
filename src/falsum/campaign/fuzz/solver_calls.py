"""Interviews: one mutant put to all solvers, nobody waiting longer than the mutant is worth."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from falsum.campaign.fuzz.tally import Tally
from falsum.campaign.fuzz.time_limits import Pace
from falsum.oracles.case import Case
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.store.records import MeasureRecord

_EASY = "(set-logic QF_UF)(check-sat)"
_ENDED_WELL = frozenset({EndingKind.FINISHED, EndingKind.REJECTED})
# What a question may take beyond the end of the run.
_OVERTIME = 0.5
_REMEMBERED = 20


@dataclass(slots=True)
class Interview:
    """Asks through a lab within limits, and counts; `until` is when the run ends (a monotonic time)."""

    lab: Lab
    pace: Pace
    tally: Tally
    until: float = float("inf")
    # Solvers whose host is gone: starting the next one must not count against a mutant.
    fresh: set[str] = field(default_factory=set)
    # What was asked of each solver of late: a leak owes something to it.
    history: dict[str, deque[tuple[str, Want]]] = field(default_factory=dict)

    def ask_all(
        self, case: Case, solvers: Sequence[str], measures: Mapping[str, MeasureRecord]
    ) -> dict[str, Answer]:
        """The answers of the solvers, the quickest asked first."""
        answers: dict[str, Answer] = {}
        given_up = False
        for solver in sorted(solvers, key=lambda name: _quickness(measures.get(name))):
            limit = self.pace.limit(measures.get(solver), given_up=given_up)
            answers[solver] = self.ask(Request(solver, case.text, case.want, seconds=limit))
            given_up = given_up or _late(answers[solver])
        self._grant(case, answers)
        for solver, answer in answers.items():
            self.tally.hear(solver, answer)
        if given_up and not any(_decided(answer) for answer in answers.values()):
            self.tally.abandoned += 1
        return answers

    @property
    def solvers(self) -> tuple[str, ...]:
        return self.lab.solvers

    def ask(self, request: Request) -> Answer:
        """A warm request is answered within the limits of the run; cold ones and repetitions as they are."""
        if not request.cold and not request.again:
            return self._warm(request, granted=False)
        answer = self.lab.ask(request)
        self.tally.solver_cpu += answer.cpu
        self.tally.solver_seconds += answer.seconds
        return answer

    def _warm(self, request: Request, *, granted: bool) -> Answer:
        solver = request.solver
        if solver in self.fresh:
            self.fresh.discard(solver)
            self.history[solver] = deque([(_EASY, Want.VERDICT)], _REMEMBERED)
            self._count(self.lab.ask(Request(solver, _EASY, again=True)), granted=False)
        left = max(_OVERTIME, self.until - time.monotonic() + _OVERTIME)
        answer = self.lab.ask(replace(request.within(left), again=granted))
        self._count(answer, granted=granted)
        self.history.setdefault(solver, deque(maxlen=_REMEMBERED)).append((request.script, request.want))
        if answer.ending.kind not in _ENDED_WELL:
            self.fresh.add(solver)
        return answer

    def _grant(self, case: Case, answers: dict[str, Answer]) -> None:
        """Give those who are late the full limit where another has decided."""
        if not any(_decided(answer) for answer in answers.values()):
            return
        for solver in [name for name, answer in answers.items() if _late(answer)]:
            if not self.pace.grants():
                return
            self.tally.timeout_seconds += answers[solver].seconds  # the first try was in vain
            self.tally.granted += 1
            request = Request(solver, case.text, case.want, seconds=self.pace.timeout)
            answers[solver] = self._warm(request, granted=True)

    def _count(self, answer: Answer, *, granted: bool) -> None:
        self.pace.spent(answer, granted=granted)
        self.tally.solver_seconds += answer.seconds
        self.tally.solver_cpu += answer.cpu


def _quickness(measure: MeasureRecord | None) -> float:
    return measure.seconds if measure and measure.ending == EndingKind.FINISHED else float("inf")


def _late(answer: Answer) -> bool:
    return answer.ending.kind is EndingKind.TIMED_OUT


def _decided(answer: Answer) -> bool:
    return any(verdict.decided for verdict in answer.verdicts)
