"""Hearing: what everybody says to one check of a script, asked in fresh processes, each question once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from falsum.errors import FalsumError
from falsum.oracles.case import Case
from falsum.oracles.judge import relay
from falsum.smtlib import Script, read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.command_text import until_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Ending, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Mutant

_MOST_CHECKS: Final = 12
_ANY_LOGIC: Final = "ALL"
_MOST_LATE: Final = 2
_TOO_LATE: Final = Answer((), Ending(EndingKind.TIMED_OUT))


@dataclass(frozen=True, slots=True)
class GivenModel:
    """A model, as a solver printed it, of what is in force at the check."""

    solver: str
    text: str


@dataclass(frozen=True)
class Hearing:
    """`flat` is what is in force at the check, laid flat; None if we cannot read the script."""

    text: str
    solvers: tuple[str, ...]
    lab: Lab
    check: int
    flat: Script | None
    _opinions: dict[tuple[str, str], Verdict | None] = field(default_factory=dict)
    _answers: dict[tuple[str, str, Want], Answer] = field(default_factory=dict)
    _late: Counter[str] = field(default_factory=Counter)

    @property
    def case(self) -> Case:
        return Case(Mutant(self.text))

    def answer(self, solver: str, want: Want = Want.VERDICT) -> Answer:
        return self._whole(solver, self.text, want)

    def _whole(self, solver: str, text: str, want: Want) -> Answer:
        """The answer to all that is in force, in whatever form; who was late twice is not asked any more."""
        key = (solver, text, want)
        if key not in self._answers:
            tired = self._late[solver] >= _MOST_LATE
            self._answers[key] = answer = (
                _TOO_LATE if tired else self.lab.ask(Request(solver, text, want, cold=True))
            )
            self._late[solver] += answer.ending.kind is EndingKind.TIMED_OUT and not answer.verdicts
        return self._answers[key]

    def said(self, solver: str) -> Verdict | None:
        """What a solver decides at the check of the script as it stands; also if only asked for models."""
        for want in (Want.VERDICT, Want.MODEL):
            verdicts = self.answer(solver, want).verdicts
            if self.check < len(verdicts) and verdicts[self.check].decided:
                return verdicts[self.check]
        return None

    def sayers(self, verdict: Verdict) -> tuple[str, ...]:
        """Who says this of the script as it stands."""
        return tuple(solver for solver in self.solvers if self.said(solver) is verdict)

    def thinks(self, solver: str) -> Verdict | None:
        """What a solver decides of the same assertions asked plainly, without the script's options."""
        for text in self._plain_forms:
            answer = self._whole(solver, text, Want.VERDICT)
            if not _is_refusal(answer):
                return _decided(answer)
        return None

    def voices(self, verdict: Verdict) -> tuple[str, ...]:
        """Who says this, of the script as it stands or, not deciding that, of its plain form."""
        return tuple(s for s in self.solvers if (self.said(s) or self.thinks(s)) is verdict)

    def opinion(self, solver: str, *texts: str) -> Verdict | None:
        """What a solver decides of a script; the next spelling of it is asked where one is refused."""
        key = (solver, texts[0])
        if key not in self._opinions:
            self._opinions[key] = self._opinion(solver, texts)
        return self._opinions[key]

    def _opinion(self, solver: str, texts: Sequence[str]) -> Verdict | None:
        for text in dict.fromkeys(texts):
            answer = self.lab.ask(Request(solver, text, cold=True))
            if not _is_refusal(answer):
                return _decided(answer)
        return None

    def models(self) -> Iterator[GivenModel]:
        """Models of what is in force: from those who say sat first, but anybody may give one."""
        first = self.voices(Verdict.SAT)
        others = tuple(solver for solver in self.solvers if solver not in first)
        seen: set[str] = set()
        for solver in (*first, *others):
            for text in self._where_models_are():
                answer = self._whole(solver, text, Want.MODEL)
                if answer.verdict is Verdict.SAT and answer.model is not None and answer.model not in seen:
                    seen.add(answer.model)
                    yield GivenModel(solver, answer.model)

    def own_models(self, solver: str) -> Iterator[GivenModel]:
        """The models a solver gives to the script as it stands and to its plain form."""
        for text in self._where_models_are():
            answer = self._whole(solver, text, Want.MODEL)
            if answer.verdict is Verdict.SAT and answer.model is not None:
                yield GivenModel(solver, answer.model)

    def _where_models_are(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((until_check(self.text, self.check), *self._plain_forms)))

    @cached_property
    def _plain_forms(self) -> tuple[str, ...]:
        """In the script's own logic, and in the widest for those who refuse that."""
        if self.flat is None:
            return ()
        return tuple(dict.fromkeys((relay.plain(self.flat), relay.plain(self.flat, _ANY_LOGIC))))


def _is_refusal(answer: Answer) -> bool:
    return answer.ending.kind is EndingKind.REJECTED and not answer.verdicts


def _decided(answer: Answer) -> Verdict | None:
    """The last verdict, if it is one and the solver lived to say it."""
    decided = answer.verdict is not None and answer.verdict.decided
    return answer.verdict if decided and not answer.crashed else None


def open_hearing(text: str, solvers: Sequence[str], lab: Lab, check: int | None = None) -> Hearing:
    """A hearing on a check: the one named, or the first at which voices contradict, or the last."""
    flats = _flats(text)
    heard = tuple(dict.fromkeys(solvers))
    most = max((len(lab.ask(Request(s, text, cold=True)).verdicts) for s in heard), default=0)
    count = max(len(flats), most, 1)
    numbers = [check] if check is not None else range(min(count, _MOST_CHECKS))
    hearings = [Hearing(text, heard, lab, n, flats[n] if n < len(flats) else None) for n in numbers]
    for voice in (Hearing.sayers, Hearing.voices):
        for hearing in hearings:
            if voice(hearing, Verdict.SAT) and voice(hearing, Verdict.UNSAT):
                return hearing
    return hearings[-1]


def _flats(text: str) -> list[Script]:
    """What is in force at each check; nothing of a script in which something is not understood."""
    try:
        script = read_script(text)
        return [] if script.not_understood else list(at_each_check(script))
    except FalsumError:
        return []
