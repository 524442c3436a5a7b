"""EvidenceSession: the answers of solvers at one check of a script, in fresh processes; each request is
run once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from falsum.defects.case import Case
from falsum.errors import FalsumError
from falsum.smtlib import Script, read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.consequences import relay
from falsum.smtlib.text.command_text import until_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Ending, EndingKind
from falsum.solvers.inputs.safe_script import missing_part
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Mutant

# Verdicts of this many checks are compared; contradictions are looked for in plain forms, and models, cores
# and the like, at as many as MODEL_CHECKS. What lies beyond is said to be not looked at.
MOST_CHECKS: Final = 1000
MODEL_CHECKS: Final = 12
_ANY_LOGIC: Final = "ALL"
_MOST_TIME_OUTS: Final = 2
_TIMED_OUT: Final = Answer((), Ending(EndingKind.TIMED_OUT))


@dataclass(frozen=True, slots=True)
class PrintedModel:
    """A model of the assertions at the check, as a solver printed it."""

    solver: str
    text: str


@dataclass(frozen=True)
class EvidenceSession:
    """A session; `flat` has the assertions at the check, None if the script cannot be read. `count` is
    the number of checks of the script.
    """

    text: str
    solvers: tuple[str, ...]
    lab: Lab
    check: int
    flat: Script | None
    count: int = 1
    _verdicts: dict[tuple[str, ...], Verdict | None] = field(default_factory=dict)
    _answers: dict[tuple[str, str, Want], Answer] = field(default_factory=dict)
    _time_outs: Counter[str] = field(default_factory=Counter)

    @cached_property
    def case(self) -> Case:
        return Case(Mutant(self.text))

    def answer(self, solver: str, want: Want = Want.VERDICT) -> Answer:
        """The answer to the unchanged script."""
        return self._answer(solver, self.text, want)

    def _answer(self, solver: str, text: str, want: Want) -> Answer:
        """The answer to the script or a plain form of it; after two time-outs a solver is not run again."""
        key = (solver, text, want)
        if key not in self._answers:
            gives_up = self._time_outs[solver] >= _MOST_TIME_OUTS
            self._answers[key] = answer = (
                _TIMED_OUT if gives_up else self.lab.ask(Request(solver, text, want, cold=True))
            )
            self._time_outs[solver] += answer.ending.kind is EndingKind.TIMED_OUT and answer.is_silent
        return self._answers[key]

    def verdict_of(self, solver: str) -> Verdict | None:
        """The verdict of a solver at the check of the unchanged script, asked for the verdict or for a
        model.
        """
        for want in (Want.VERDICT, Want.MODEL):
            verdicts = self.answer(solver, want).verdicts
            if self.check < len(verdicts) and verdicts[self.check].decided:
                return verdicts[self.check]
        return None

    def plain_verdict_of(self, solver: str) -> Verdict | None:
        """The verdict of a solver on the same assertions without the script's options and other commands."""
        for text in self._plain_forms:
            answer = self._answer(solver, text, Want.VERDICT)
            if not _is_rejection(answer):
                return _decided(answer)
        return None

    def decides(self, solver: str) -> bool:
        """Whether a solver decides the check of the unchanged script."""
        return self.answer(solver).verdict_at(self.check).decided

    def answering_as_is(self, verdict: Verdict) -> tuple[str, ...]:
        """The solvers with this verdict on the unchanged script."""
        return tuple(solver for solver in self.solvers if self.verdict_of(solver) is verdict)

    def answering(self, verdict: Verdict) -> tuple[str, ...]:
        """The solvers with this verdict on the unchanged script or, if undecided, on its plain form."""
        return tuple(s for s in self.solvers if (self.verdict_of(s) or self.plain_verdict_of(s)) is verdict)

    def verdict_on(self, solver: str, *texts: str) -> Verdict | None:
        """The verdict of a solver on another script; if it rejects one spelling, the next one is tried."""
        key = (solver, *texts)
        if key not in self._verdicts:
            self._verdicts[key] = self._verdict_on(solver, texts)
        return self._verdicts[key]

    def _verdict_on(self, solver: str, texts: Sequence[str]) -> Verdict | None:
        for text in dict.fromkeys(texts):
            answer = self.lab.ask(Request(solver, text, cold=True))
            if not _is_rejection(answer):
                return _decided(answer)
        return None

    def models(self) -> Iterator[PrintedModel]:
        """Models of the assertions, those of solvers that answer sat first, but any solver may print one."""
        first = self.answering(Verdict.SAT)
        others = tuple(solver for solver in self.solvers if solver not in first)
        seen: set[str] = set()
        for solver in (*first, *others):
            for model in self.own_models(solver):
                if model.text not in seen:
                    seen.add(model.text)
                    yield model

    def own_models(self, solver: str, *, as_is: bool = False) -> Iterator[PrintedModel]:
        """The models a solver prints for the unchanged script and, unless `as_is`, for its plain forms."""
        others = () if as_is else self._plain_forms
        for text in dict.fromkeys((until_check(self.text, self.check), *others)):
            answer = self._answer(solver, text, Want.MODEL)
            if answer.verdict is Verdict.SAT and answer.model is not None:
                yield PrintedModel(solver, answer.model)

    @cached_property
    def _plain_forms(self) -> tuple[str, ...]:
        """In the script's own logic, and in ALL for solvers that reject that."""
        if self.flat is None:
            return ()
        return tuple(dict.fromkeys((relay.plain(self.flat), relay.plain(self.flat, _ANY_LOGIC))))


def answer_summary(answer: Answer) -> str:
    """A clause about a solver's answer: `answers sat`, or how it ended."""
    verdicts = " ".join(answer.words)
    return f"answers {verdicts}" if answer.finished and verdicts else str(answer.ending)


def _is_rejection(answer: Answer) -> bool:
    return answer.ending.kind is EndingKind.REJECTED and answer.is_silent


def _decided(answer: Answer) -> Verdict | None:
    """The last verdict, if it is sat or unsat and the solver did not crash."""
    is_decided = answer.verdict is not None and answer.verdict.decided
    return answer.verdict if is_decided and not answer.crashed else None


def open_sessions(
    text: str, solvers: Sequence[str], lab: Lab, check: int | None = None
) -> tuple[EvidenceSession, ...]:
    """A session on each check, or only on the given one; at least one."""
    flats = _flats(text)
    names = tuple(dict.fromkeys(solvers))
    most = max((len(lab.ask(Request(s, text, cold=True)).verdicts) for s in names), default=0)
    count = max(len(flats), most, 1)
    numbers = [check] if check is not None else range(min(count, MOST_CHECKS))
    return tuple(
        EvidenceSession(text, names, lab, n, flats[n] if n < len(flats) else None, count) for n in numbers
    )


def in_question(sessions: Sequence[EvidenceSession]) -> EvidenceSession:
    """The first session with contradicting verdicts, else the last."""
    for answering, some in (
        (EvidenceSession.answering_as_is, sessions),
        (EvidenceSession.answering, closely(sessions)),
    ):
        for session in some:
            if answering(session, Verdict.SAT) and answering(session, Verdict.UNSAT):
                return session
    return sessions[-1]


def closely(sessions: Sequence[EvidenceSession]) -> Sequence[EvidenceSession]:
    """The checks that are examined closely: the first ones and the last."""
    return sessions if len(sessions) <= MODEL_CHECKS else (*sessions[: MODEL_CHECKS - 1], sessions[-1])


def not_looked_at(sessions: Sequence[EvidenceSession], count: int) -> str:
    """The checks that a bound leaves out, as a sentence; "" if there are none."""
    parts = []
    if len(sessions) > MODEL_CHECKS:
        first, last = MODEL_CHECKS, len(sessions) - 1
        parts.append(f"Models of checks {first} to {last} were not looked at.")
    if count > len(sessions) and len(sessions) >= MOST_CHECKS:
        parts.append(f"Checks {len(sessions) + 1} to {count} were not looked at.")
    return " ".join(parts)


def _flats(text: str) -> list[Script]:
    """The assertions at each check; none if some command is not understood."""
    try:
        script = read_script(text)
        return [] if script.not_understood or missing_part(text) else list(at_each_check(script))
    except FalsumError:
        return []
