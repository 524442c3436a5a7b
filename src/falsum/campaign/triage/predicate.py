"""SameFinding: whether a script still shows what another one showed; the predicate of reductions.

A crash stays the same crash, a wrong verdict wrong, an invalid model invalid, the alarm of a solver's own
check the same alarm; solvers that show nothing wrong end as they did. The truth about a wrong verdict is
shown anew for every script, in the strongest manner that worked for the first one: by the witness of a claim
or a model of another solver, both under our evaluator, or by the verdicts of others.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol, Self

from falsum.campaign.triage.symptom import Standing, Symptom, SymptomKind
from falsum.defects.case import Case
from falsum.defects.evidence.judge import proves_sat
from falsum.defects.open_points import choose_alike
from falsum.errors import FalsumError, UsageError
from falsum.smtlib import read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.text.command_text import until_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, Cause, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.limits import Limits
from falsum.solvers.messages import comparable_detail
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Mutant

# A smaller script may take so much longer than the last one that showed it, and a little for a busy machine.
_SLACK: Final = 3.0
_MIN_SECONDS: Final = 0.5
# The most checks whose models are looked at.
_MOST_CHECKS: Final = 100
_INVALID: Final = Symptom(SymptomKind.INVALID_MODEL, Want.MODEL)


class Manner(StrEnum):
    """How the truth about a wrong verdict is shown."""

    NONE = "nothing needs to be shown"
    WITNESS = "the witness satisfies everything asserted"
    MODEL = "a model of another solver satisfies everything asserted"
    VERDICTS = "other solvers confirm the verdict"


class ClosingLab(Lab, Protocol):
    def close(self) -> None: ...


Labs = Callable[[Limits], ClosingLab]


@dataclass(frozen=True, slots=True)
class ReductionTarget:
    """What must stay: `symptoms` by solver, and `endings` (with a verdict, or any) of solvers without one.

    `references` are the solvers that are right about a wrong verdict.
    """

    symptoms: Mapping[str, Symptom]
    references: tuple[str, ...] = ()
    endings: Mapping[str, tuple[EndingKind, Verdict | None]] = field(default_factory=dict)

    def __str__(self) -> str:
        kinds = dict.fromkeys(str(symptom.kind) for symptom in self.symptoms.values())
        shown = [
            f"{solver} takes more than {symptom.seconds:g} s"
            if symptom.kind is SymptomKind.SLOW
            else f"{solver} answers {symptom.observed}"
            for solver, symptom in self.symptoms.items()
        ]
        shown += [f"{solver} answers {self.truth}" for solver in self.references]
        if not self.symptoms:
            shown = [f"{solver} answers {said or how}" for solver, (how, said) in self.endings.items()]
        return f"{', '.join(kinds) or 'answers'}: {', '.join(shown)}"

    @property
    def truth(self) -> Verdict | None:
        """The right verdict, if a wrong one is to stay."""
        found = (s.truth for s in self.symptoms.values() if s.kind is SymptomKind.WRONG_VERDICT)
        return next(found, None)


def target_of(labs: Labs, script: str, limits: Limits) -> tuple[ReductionTarget, str]:
    """What is wrong with the answers of fresh processes to a script; if nothing is, the answers.

    Second, the script that shows it: solvers print the model of the last check, so a script is cut after an
    earlier check with an invalid model.
    """
    lab = labs(limits)
    try:
        plain = {name: lab.ask(Request(name, script, cold=True)) for name in lab.solvers}
        if all(answer.ending.kind is EndingKind.REJECTED for answer in plain.values()):
            raise UsageError("no solver accepts the script")
        found = _target(plain, script, Want.VERDICT)
        if not found.symptoms:
            with_model = {name: lab.ask(Request(name, script, Want.MODEL, cold=True)) for name in lab.solvers}
            wrong = _target(with_model, script, Want.MODEL)
            if not wrong.symptoms:
                return _earlier_target(lab, script, with_model) or (found, script)
            found = wrong
        return found, script
    finally:
        lab.close()


def _earlier_target(
    lab: Lab, script: str, answers: Mapping[str, Answer]
) -> tuple[ReductionTarget, str] | None:
    """The first check but the last whose model is invalid, with the script up to it."""
    try:
        checks = sum(1 for _ in at_each_check(read_script(script)))
    except FalsumError:
        return None
    for check in range(min(checks - 1, _MOST_CHECKS)):
        sat = [name for name, answer in answers.items() if Verdict.SAT in answer.verdicts[check : check + 1]]
        cut = until_check(script, check)
        here = {name: lab.ask(Request(name, cut, Want.MODEL, cold=True)) for name in sat}
        if _invalid_model(here, cut) is not None:
            here |= {n: lab.ask(Request(n, cut, Want.MODEL, cold=True)) for n in answers if n not in here}
            return _target(here, cut, Want.MODEL), cut
    return None


def _target(answers: Mapping[str, Answer], script: str, want: Want) -> ReductionTarget:
    """The gravest thing that answers show."""
    alarms = {
        name: Symptom(SymptomKind.SELF_CHECK, want, message=comparable_detail(answer.ending))
        for name, answer in answers.items()
        if answer.ending.cause is Cause.SELF_CHECK
    }
    crashes = {
        name: Symptom(SymptomKind.CRASH, want, message=answer.ending.message)
        for name, answer in answers.items()
        if answer.crashed and name not in alarms
    }
    if crashes:
        return ReductionTarget(crashes | alarms, endings=_endings(answers, {*crashes, *alarms}))
    if disagreement := _disagreement(answers):
        return disagreement
    if alarms:
        return ReductionTarget(alarms)
    if (name := _invalid_model(answers, script)) is not None:
        return ReductionTarget({name: _INVALID}, endings=_endings(answers, {name}))
    return ReductionTarget(
        {}, endings={n: (answer.ending.kind, answer.verdict) for n, answer in answers.items()}
    )


def _invalid_model(answers: Mapping[str, Answer], script: str) -> str | None:
    """The first solver whose model of the last check is invalid."""
    shown = (name for name, a in answers.items() if _INVALID.standing(a, script) is Standing.BAD)
    return next(shown, None)


def _endings(
    answers: Mapping[str, Answer], without: set[str]
) -> dict[str, tuple[EndingKind, Verdict | None]]:
    return {name: (answer.ending.kind, None) for name, answer in answers.items() if name not in without}


def _disagreement(answers: Mapping[str, Answer]) -> ReductionTarget | None:
    """The first check where one says sat and one unsat. A model may show sat to be right, so it is the truth
    until something else is known.
    """
    for check in range(max((len(answer.verdicts) for answer in answers.values()), default=0)):
        row = {name: a.verdicts[check] for name, a in answers.items() if len(a.verdicts) > check}
        sat = tuple(name for name, verdict in row.items() if verdict is Verdict.SAT)
        unsat = [name for name, verdict in row.items() if verdict is Verdict.UNSAT]
        if sat and unsat:
            wrong = Symptom(SymptomKind.WRONG_VERDICT, check=check, truth=Verdict.SAT)
            return ReductionTarget(dict.fromkeys(unsat, wrong), sat)
    return None


class SameFinding:
    """Holds for a script that shows the target; called, it asks warm solvers, `cold` asks fresh processes.

    `labs` makes a lab with the solvers of the target; every thread has its own. UsageError if the script
    `golden` does not show the target now.
    """

    def __init__(
        self, golden: str, target: ReductionTarget, labs: Labs, limits: Limits, witness: str = ""
    ) -> None:
        self.target = target
        self.limits = limits
        self.witness = witness
        self._make_lab = labs
        self._own = threading.local()
        self._labs: list[ClosingLab] = []
        # Seconds each solver took last, and may take.
        self._took: dict[str, float] = {}
        self._seconds: dict[str, float] = {}
        # If all solvers choose alike wherever the first script leaves something open, it has to stay so; else
        # only a model counts that needs no choices.
        self._is_plain = target.truth is not None and self._choose_alike(golden)
        self.manner = self._strongest(golden)

    def __call__(self, text: str) -> bool:
        return self._holds(text, self.manner, cold=False)

    def cold(self, text: str) -> bool:
        return self._holds(text, self.manner, cold=True)

    def __str__(self) -> str:
        return str(self.target) if self.manner is Manner.NONE else f"{self.target}; {self.manner}"

    def core_of(self, text: str) -> str | None:
        """An unsat core of a script, from a solver that says unsat."""
        if self.target.truth is None:
            return None
        unsat: Sequence[str] = self.target.references
        if self.target.truth is Verdict.SAT:
            unsat = tuple(self.target.symptoms)
        return self._ask(unsat[0], text, Want.CORE, cold=False).core if unsat else None

    def model_of(self, text: str) -> str:
        """A model that shows that *sat* is right; "" if there is none."""
        if self.manner is Manner.WITNESS:
            return self.witness
        if self.manner is Manner.MODEL:
            return self._ask(self.target.references[0], text, Want.MODEL, cold=False).model or ""
        return ""

    def close(self) -> None:
        for lab in self._labs:
            lab.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _strongest(self, golden: str) -> Manner:
        manners = [Manner.NONE]
        if self.target.truth is not None:
            manners = [Manner.VERDICTS] if self.target.references else []
            if self.target.truth is Verdict.SAT:
                manners = [Manner.MODEL, *manners] if self.target.references else []
                manners = [Manner.WITNESS, *manners] if self.witness else manners
        for manner in manners:
            if self._holds(golden, manner, cold=True):
                return manner
        self.close()
        raise UsageError("the script does not show the symptom now, or nothing shows who is right")

    def _holds(self, text: str, manner: Manner, *, cold: bool) -> bool:
        """Asks one solver after the other, and stops at the first answer that does not fit."""
        wrong_checks: list[set[int]] = []
        for name, symptom in self.target.symptoms.items():
            answer = self._ask(name, text, Want(symptom.want), cold=cold)
            if symptom.kind is SymptomKind.WRONG_VERDICT:
                wrong_checks.append(_wrong_checks(answer, symptom))
                if not wrong_checks[-1]:
                    return False
            elif symptom.standing(answer, text, strictly=True) is not Standing.BAD:
                return False
        if wrong_checks and not self._is_wrong(text, set.intersection(*wrong_checks), manner, cold=cold):
            return False
        for name, (ending, verdict) in self.target.endings.items():
            answer = self._ask(name, text, Want.VERDICT, cold=cold)
            if answer.ending.kind is not ending or (verdict is not None and answer.verdict is not verdict):
                return False
        for name, seconds in list(self._took.items()):
            self._seconds[name] = _SLACK * seconds + _MIN_SECONDS
        return True

    def _is_wrong(self, text: str, checks: set[int], manner: Manner, *, cold: bool) -> bool:
        """Whether the verdict is shown to be wrong at one of these checks."""
        shown: Callable[[str, int, bool], bool] = {
            Manner.WITNESS: self._by_witness,
            Manner.MODEL: self._by_model,
        }.get(manner, self._by_verdicts)
        held = any(shown(text, check, cold) for check in sorted(checks))
        return held and (not self._is_plain or self._choose_alike(text))

    def _choose_alike(self, text: str) -> bool:
        """Whether a contradiction counts: not if it turns on a point the standard leaves open."""
        named = (*self.target.symptoms, *self.target.references)
        return choose_alike(Case(Mutant(text)), named, self._lab())

    def _by_witness(self, text: str, check: int, cold: bool) -> bool:
        del cold
        return proves_sat(text, check, self.witness, always=not self._is_plain)

    def _by_model(self, text: str, check: int, cold: bool) -> bool:
        try:
            alone = sum(1 for _ in at_each_check(read_script(text))) == 1
        except FalsumError:
            return False
        asked = text if alone else until_check(text, check)
        for reference in self.target.references:
            answer = self._ask(reference, asked, Want.MODEL, cold=cold)
            is_sat = answer.verdict is Verdict.SAT and answer.model is not None
            if is_sat and proves_sat(text, check, answer.model or "", always=not self._is_plain):
                return True
        return False

    def _by_verdicts(self, text: str, check: int, cold: bool) -> bool:
        for reference in self.target.references:
            said = self._ask(reference, text, Want.VERDICT, cold=cold).verdicts
            if check >= len(said) or said[check] is not self.target.truth:
                return False
        return True

    def _ask(self, solver: str, text: str, want: Want, *, cold: bool) -> Answer:
        seconds = None if cold else self._seconds.get(solver)
        answer = self._lab().ask(Request(solver, text, want, cold=cold, again=cold, seconds=seconds))
        self._took[solver] = answer.seconds
        return answer

    def _lab(self) -> ClosingLab:
        """The lab of this thread."""
        lab: ClosingLab | None = getattr(self._own, "lab", None)
        if lab is None:
            lab = self._own.lab = self._make_lab(self.limits)
            self._labs.append(lab)
        return lab


def _wrong_checks(answer: Answer, symptom: Symptom) -> set[int]:
    truth = symptom.truth
    assert truth is not None
    return {number for number, verdict in enumerate(answer.verdicts) if verdict.contradicts(truth)}
