"""Sameness: the predicate of a reduction in triage; the same symptom, and the truth shown anew at every step.

The truth of a smaller script is established in the strongest manner that worked for the first one: the
witness of a claim or a model of another solver, both under our evaluator, or the verdicts of others.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final, Self

from falsum.campaign.triage.symptom import Kind, Standing, Symptom
from falsum.errors import FalsumError, UsageError
from falsum.oracles.case import Case
from falsum.oracles.judge.judge import proves_sat
from falsum.oracles.open_points import choose_alike
from falsum.smtlib import read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.command_text import until_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want
from falsum.solvers.solver import Solver
from falsum.strategies.mutant import Mutant

_SLACK: Final = 3.0
_LEAST_SECONDS: Final = 0.5


class Manner(StrEnum):
    """How the truth is established."""

    NONE = "nothing needs to be shown"
    WITNESS = "the witness satisfies everything asserted"
    MODEL = "a model of another solver satisfies everything asserted"
    VERDICTS = "other solvers say so"


class SameFinding:
    """Holds for a script on which the suspect shows the symptom and is shown to be wrong."""

    def __init__(
        self,
        golden: str,
        symptom: Symptom,
        suspect: Solver,
        references: Sequence[Solver],
        limits: Limits,
        witness: str = "",
    ) -> None:
        self.symptom = symptom
        self.suspect = suspect
        self.references = tuple(references)
        self.limits = limits
        self.witness = witness
        self._own = threading.local()
        self._labs: list[LiveLab] = []
        # Seconds each solver took last, and may take.
        self._took: dict[str, float] = {}
        self._pace: dict[str, float] = {}
        # Whether everybody takes whatever the script leaves open in the same way; then it shall stay so.
        self._is_plain = self.symptom.kind is Kind.WRONG_VERDICT and self._taken_alike(golden)
        self.manner = self._strongest(golden)

    def __call__(self, text: str) -> bool:
        return self._holds(text, self.manner, cold=False)

    def cold(self, text: str) -> bool:
        """The same, every solver in a fresh process."""
        return self._holds(text, self.manner, cold=True)

    def core_of(self, text: str) -> str | None:
        """An unsat core of a script, from whoever says unsat."""
        wrong = self.symptom.kind is Kind.WRONG_VERDICT and self.symptom.truth is Verdict.SAT
        sayer = self.suspect if wrong else next(iter(self.references), None)
        if sayer is None or self.symptom.kind is not Kind.WRONG_VERDICT:
            return None
        return self._ask(sayer, text, Want.CORE, cold=False).core

    def model_of(self, text: str) -> str:
        """A model that shows that *sat* is right; "" if there is none."""
        if self.manner is Manner.WITNESS:
            return self.witness
        if self.manner is Manner.MODEL:
            return self._ask(self.references[0], text, Want.MODEL, cold=False).model or ""
        return ""

    @property
    def solver_cpu(self) -> float:
        """CPU seconds that solvers have taken."""
        return sum(lab.usage.cpu for lab in self._labs)

    def close(self) -> None:
        for lab in self._labs:
            lab.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _strongest(self, golden: str) -> Manner:
        manners = [Manner.NONE]
        if self.symptom.kind is Kind.WRONG_VERDICT:
            manners = [Manner.VERDICTS] if self.references else []
            if self.symptom.truth is Verdict.SAT:
                manners = [Manner.MODEL, *manners] if self.references else []
                manners = [Manner.WITNESS, *manners] if self.witness else manners
        for manner in manners:
            if self._holds(golden, manner, cold=True):
                return manner
        self.close()
        raise UsageError("the script does not show the symptom now, or nothing shows who is right")

    def _holds(self, text: str, manner: Manner, *, cold: bool) -> bool:
        answer = self._ask(self.suspect, text, Want(self.symptom.want), cold=cold)
        if self.symptom.kind is not Kind.WRONG_VERDICT:
            held = self.symptom.standing(answer, text, strictly=True) is Standing.BAD
            self._note(held)
            return held
        truth = self.symptom.truth
        assert truth is not None
        wrong = [n for n, verdict in enumerate(answer.verdicts) if verdict.contradicts(truth)]
        if not wrong:
            return False
        shown: Callable[[str, int, bool], bool] = {
            Manner.WITNESS: self._by_witness,
            Manner.MODEL: self._by_model,
        }.get(manner, self._by_verdicts)
        held = any(shown(text, check, cold) for check in wrong)
        held = held and (not self._is_plain or self._taken_alike(text))
        self._note(held)
        return held

    def _taken_alike(self, text: str) -> bool:
        """Whether a contradiction counts: not if it turns on a point the standard leaves open."""
        named = (self.suspect.name, *(reference.name for reference in self.references))
        return choose_alike(Case(Mutant(text)), named, self._lab())

    def _by_witness(self, text: str, check: int, cold: bool) -> bool:
        del cold
        return proves_sat(text, check, self.witness)

    def _by_model(self, text: str, check: int, cold: bool) -> bool:
        try:
            alone = sum(1 for _ in at_each_check(read_script(text))) == 1
        except FalsumError:
            return False
        asked = text if alone else until_check(text, check)
        for reference in self.references:
            answer = self._ask(reference, asked, Want.MODEL, cold=cold)
            if answer.verdict is Verdict.SAT and answer.model and proves_sat(text, check, answer.model):
                return True
        return False

    def _by_verdicts(self, text: str, check: int, cold: bool) -> bool:
        for reference in self.references:
            said = self._ask(reference, text, Want.VERDICT, cold=cold).verdicts
            if check >= len(said) or said[check] is not self.symptom.truth:
                return False
        return True

    def _note(self, held: bool) -> None:
        """What is smaller must not take much longer."""
        if held:
            for name, seconds in list(self._took.items()):
                self._pace[name] = _SLACK * seconds + _LEAST_SECONDS

    def _ask(self, solver: Solver, text: str, want: Want, *, cold: bool) -> Answer:
        seconds = None if cold else self._pace.get(solver.name)
        answer = self._lab().ask(Request(solver.name, text, want, cold=cold, again=cold, seconds=seconds))
        self._took[solver.name] = answer.seconds
        return answer

    def _lab(self) -> LiveLab:
        """The lab of this thread."""
        lab: LiveLab | None = getattr(self._own, "lab", None)
        if lab is None:
            lab = self._own.lab = LiveLab((self.suspect, *self.references), self.limits)
            self._labs.append(lab)
        return lab
