"""A predicate from solvers' answers: what they said about the first script they must go on saying.

A crash stays the same crash, a disagreement the same disagreement, the alarm of a solver's own checks the
same alarm. Where our evaluator showed from a model who is right, it must show it again at every step; else
every solver that decided, the wrong and the right ones, must keep its verdict.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol, Self

from falsum.errors import FalsumError, UsageError
from falsum.smtlib import Script, read_script
from falsum.smtlib.at_check import at_last_check
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Cause, Ending, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.limits import Limits
from falsum.solvers.messages import comparable_detail
from falsum.solvers.request import Request, Want

_SLACK: Final = 3.0
_LEAST_SECONDS: Final = 1.0


class Kind(StrEnum):
    """What the answers show."""

    CRASH = "crash"
    DISAGREEMENT = "disagreement"
    SELF_CHECK = "self-check"
    INVALID_MODEL = "invalid model"
    VERDICTS = "verdicts"


class ClosingLab(Lab, Protocol):
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """What must stay. `verdicts` for a disagreement: who says what at one check; `witness`: the solver whose
    model our evaluator found to be one (a disagreement) or not to be one (an invalid model).
    """

    kind: Kind
    endings: Mapping[str, tuple[str, ...]]
    verdicts: Mapping[str, Verdict]
    witness: str = ""

    def __str__(self) -> str:
        said = ", ".join(f"{solver} says {verdict}" for solver, verdict in self.verdicts.items())
        ended = ", ".join(
            f"{solver}: {' '.join(e)}" for solver, e in self.endings.items() if e[0] != _FINISHED
        )
        shown = f", shown by a model of {self.witness}" if self.witness else ""
        return f"{self.kind}: {said or ended or 'nobody decides'}{shown}"


_FINISHED: Final = str(EndingKind.FINISHED)


def wanted_of(answers: Mapping[str, Answer], script: Script) -> Wanted:
    """What the answers to a script show, the strongest first."""
    endings = {solver: _ending(answer.ending) for solver, answer in answers.items()}
    alarms = {s: endings[s] for s, answer in answers.items() if answer.ending.cause is Cause.SELF_CHECK}
    if any(answer.crashed and solver not in alarms for solver, answer in answers.items()):
        return Wanted(Kind.CRASH, endings, {})
    row = _disagreement(answers)
    if row:
        sayers = [solver for solver, verdict in row.items() if verdict is Verdict.SAT]
        proving = (s for s in sayers if model_holds(answers[s], script) is True)
        return Wanted(Kind.DISAGREEMENT, {}, row, next(proving, ""))
    if alarms:
        return Wanted(Kind.SELF_CHECK, alarms, {})
    last = {solver: answer.verdict for solver, answer in answers.items() if answer.verdict is not None}
    for solver, verdict in last.items():
        if verdict is Verdict.SAT and model_holds(answers[solver], script) is False:
            return Wanted(Kind.INVALID_MODEL, endings, {solver: verdict}, solver)
    return Wanted(Kind.VERDICTS, endings, last)


def _ending(ending: Ending) -> tuple[str, ...]:
    if ending.kind is EndingKind.CRASHED:
        return str(ending.kind), str(ending.cause), comparable_detail(ending)
    return (str(ending.kind),)


def _disagreement(answers: Mapping[str, Answer]) -> dict[str, Verdict]:
    """Who says what at the first check where one says sat and one unsat; empty if there is none."""
    for check in range(max((len(answer.verdicts) for answer in answers.values()), default=0)):
        row = {s: a.verdicts[check] for s, a in answers.items() if len(a.verdicts) > check}
        decided = {solver: verdict for solver, verdict in row.items() if verdict.decided}
        if len(set(decided.values())) > 1:
            return decided
    return {}


def model_holds(answer: Answer, script: Script) -> bool | None:
    """Whether the model satisfies what is asserted at the last check; None if that cannot be said."""
    flat = at_last_check(script)
    if answer.model is None or flat is None:
        return None
    try:
        found = truths(flat, read_model(answer.model, flat))
    except FalsumError:
        return None
    if any(truth is False for truth in found):
        return False
    return True if all(truth is True for truth in found) else None


class AnswerPredicate:
    """Holds while the solvers' answers show what they showed about the first script.

    `labs` makes a lab for the limits it is given; every thread gets its own. Called, it asks warm hosts;
    `cold` asks fresh processes.
    """

    def __init__(self, labs: Callable[[Limits], ClosingLab], golden: str, limits: Limits) -> None:
        self._labs = labs
        self._own = threading.local()
        self._made: list[ClosingLab] = []
        self.limits = limits
        lab = self._lab()
        answers = {solver: lab.ask(Request(solver, golden, Want.MODEL, cold=True)) for solver in lab.solvers}
        self.wanted = wanted_of(answers, read_script(golden))
        if all(answer.ending.kind is EndingKind.REJECTED for answer in answers.values()):
            raise UsageError("no solver takes the script")
        if not any(answer.ending.kind is EndingKind.TIMED_OUT for answer in answers.values()):
            slowest = max(answer.seconds for answer in answers.values())
            seconds = min(limits.seconds, _SLACK * slowest + _LEAST_SECONDS)
            self.limits = Limits(seconds, None, limits.memory, limits.output)
            self._own = threading.local()

    def __call__(self, text: str) -> bool:
        return self._holds(text, cold=False)

    def cold(self, text: str) -> bool:
        """The same, each solver in a fresh process for this script alone."""
        return self._holds(text, cold=True)

    def close(self) -> None:
        for lab in self._made:
            lab.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _lab(self) -> ClosingLab:
        lab: ClosingLab | None = getattr(self._own, "lab", None)
        if lab is None:
            lab = self._own.lab = self._labs(self.limits)
            self._made.append(lab)
        return lab

    def _holds(self, text: str, *, cold: bool) -> bool:
        """Asks one solver after the other and stops at the first that says something else."""
        lab, wanted = self._lab(), self.wanted
        rows: list[tuple[Verdict, ...]] = []
        for solver in _in_order(lab.solvers, wanted):
            want = Want.MODEL if solver == wanted.witness else Want.VERDICT
            answer = lab.ask(Request(solver, text, want, cold=cold, again=cold))
            if not self._stays(solver, answer):
                return False
            if solver in wanted.verdicts:
                rows.append(answer.verdicts)
            if solver == wanted.witness:
                holds = model_holds(answer, read_script(text))
                if holds is not (wanted.kind is Kind.DISAGREEMENT):
                    return False
        if wanted.kind is not Kind.DISAGREEMENT:
            return True
        order = [solver for solver in _in_order(lab.solvers, wanted) if solver in wanted.verdicts]
        said = tuple(wanted.verdicts[solver] for solver in order)
        return any(row == said for row in zip(*rows, strict=False))

    def _stays(self, solver: str, answer: Answer) -> bool:
        """Whether a solver's answer by itself may still be part of what is wanted."""
        wanted = self.wanted
        if wanted.kind is Kind.DISAGREEMENT:
            return solver not in wanted.verdicts or wanted.verdicts[solver] in answer.verdicts
        if _ending(answer.ending) != wanted.endings[solver]:
            return False
        return answer.verdict is wanted.verdicts.get(solver, answer.verdict)


def _in_order(solvers: tuple[str, ...], wanted: Wanted) -> list[str]:
    """Those that crash first: they are the ones an edit takes away. Of an alarm, nobody else is heard."""
    if wanted.kind is Kind.SELF_CHECK:
        return [solver for solver in solvers if solver in wanted.endings]
    return sorted(solvers, key=lambda s: wanted.endings.get(s, (_FINISHED,))[0] == _FINISHED)
