"""SameDefect: whether a script still shows the defect of another one; the predicate of reductions."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Protocol, Self

import msgspec

from falsum.defects.case import Case
from falsum.defects.evidence.horn_evidence import is_horn_case
from falsum.defects.kinds.wrong_verdict.wrong_verdict import Manner
from falsum.defects.open_points import choose_alike
from falsum.defects.recheck import case_of_text, shows
from falsum.defects.table import kind_named
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.errors import UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request, Want

# The time limit for a smaller script is this many times what the last one took that showed it, and a little
# more on a busy machine.
_SLACK: Final = 3.0
_MIN_SECONDS: Final = 0.5


class ClosingLab(Lab, Protocol):
    def close(self) -> None: ...


Labs = Callable[[Limits], ClosingLab]


@dataclass(frozen=True, slots=True)
class Kept:
    """What a reduction must preserve: the target of the suspects, and the endings and verdicts of other
    solvers (None: any).
    """

    target: Target | None
    suspects: tuple[str, ...] = ()
    endings: Mapping[str, tuple[EndingKind, tuple[Verdict, ...] | None]] = field(default_factory=dict)

    def __str__(self) -> str:
        if self.target is None:
            answers = (
                f"{solver} answers {' '.join(verdicts or ()) or ending}"
                for solver, (ending, verdicts) in self.endings.items()
            )
            return f"answers: {', '.join(answers)}"
        observation = kind_named(self.target.defect).observed(self.target)
        by = f"; {self.target.manner}" if self.target.manner else ""
        return f"{self.target.defect}: {', '.join(self.suspects)} ({observation}){by}"


class SameDefect:
    """Holds for a script that shows what the case shows; calls use warm solvers, `cold` uses fresh ones.

    `labs` makes a lab with the suspects, the solvers they are compared with and the references of the target;
    every thread has its own. Raises UsageError if the case does not show it now.
    """

    def __init__(self, case: Case, target_kept: Kept, labs: Labs, limits: Limits) -> None:
        self.case = case
        self.limits = limits
        self._make_lab = labs
        self._own = threading.local()
        self._labs: list[ClosingLab] = []
        # Seconds that each solver took last, and may take.
        self._took: dict[str, float] = {}
        self._seconds: dict[str, float] = {}
        self.kept = self._strongest(target_kept)

    def __call__(self, text: str) -> bool:
        return self._holds(text, self.kept, cold=False)

    def cold(self, text: str) -> bool:
        return self._holds(text, self.kept, cold=True)

    def __str__(self) -> str:
        return str(self.kept)

    @property
    def manner(self) -> str:
        """The manner in which the right verdict is shown at every step; "" if it need not be shown."""
        return self.kept.target.manner if self.kept.target is not None else ""

    def core_of(self, text: str) -> str | None:
        """An unsat core of a script, from a solver that says unsat."""
        target = self.kept.target
        if target is None or target.truth is None:
            return None
        unsat = self.kept.suspects if target.truth is Verdict.SAT else target.references
        if not unsat:
            return None
        return self._paced(cold=False).ask(Request(unsat[0], text, Want.CORE)).core

    def model_of(self, text: str) -> str:
        """A model that confirms *sat*; "" if there is none."""
        target = self.kept.target
        if target is None or target.manner not in {Manner.WITNESS, Manner.MODEL}:
            return ""
        if target.manner == Manner.WITNESS:
            return target.witness
        answer = self._paced(cold=False).ask(Request(target.references[0], text, Want.MODEL))
        return answer.model or ""

    def wrong_request(self, text: str) -> Request | None:
        """The request with the wrong answer, if the script alone does not ask for it."""
        target = self.kept.target
        kind = kind_named(target.defect) if target is not None else None
        if target is None or kind is None or kind.relates_scripts:
            return None
        sight = shows(target, case_of_text(self.case, text), self.kept.suspects[0], self._paced(cold=True))
        request = sight.finding.request if sight.finding is not None else None
        if request is not None:
            return request
        return None if kind.asks is Want.VERDICT else Request(self.kept.suspects[0], text, kind.asks)

    def close(self) -> None:
        for lab in self._labs:
            lab.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _strongest(self, target_kept: Kept) -> Kept:
        """What to keep, with the strongest manner of showing the right verdict that works for the case
        itself.
        """
        target = target_kept.target
        manners = kind_named(target.defect).manners(target) if target is not None else ("",)
        for manner in manners:
            current = target_kept
            if target is not None and manner:
                names = (*target_kept.suspects, *target.references)
                alike = choose_alike(self.case, names, self._lab())
                strengthened = msgspec.structs.replace(target, manner=manner, chooses_alike=alike)
                current = replace(target_kept, target=strengthened)
            if self._holds(self.case.text, current, cold=True):
                return current
        self.close()
        raise UsageError("the script does not show the defect now, or nothing shows who is right")

    def _holds(self, text: str, target_kept: Kept, *, cold: bool) -> bool:
        """Whether all solvers answer as needed; stops at the first one that does not.

        What is left of Horn clauses has to be Horn clauses, or another engine of the solver answers.
        """
        lab = self._paced(cold=cold)
        case = case_of_text(self.case, text)
        if is_horn_case(self.case) and not is_horn_case(case):
            return False
        if target_kept.target is not None:
            for suspect in target_kept.suspects:
                if shows(target_kept.target, case, suspect, lab, strictly=True).standing is not Standing.BAD:
                    return False
        for solver, (ending, verdicts) in target_kept.endings.items():
            answer = lab.ask(Request(solver, text))
            if answer.ending.kind is not ending or verdicts not in (None, answer.verdicts):
                return False
        for solver, seconds in list(self._took.items()):
            self._seconds[solver] = _SLACK * seconds + _MIN_SECONDS
        return True

    def _paced(self, *, cold: bool) -> Lab:
        return _PacedLab(self._lab(), self._took, {} if cold else self._seconds, cold)

    def _lab(self) -> ClosingLab:
        """The lab of this thread."""
        lab: ClosingLab | None = getattr(self._own, "lab", None)
        if lab is None:
            lab = self._own.lab = self._make_lab(self.limits)
            self._labs.append(lab)
        return lab


@dataclass(frozen=True, slots=True)
class _PacedLab:
    """A lab with warm solvers, whose time limits follow the last answers, or fresh ones; records how
    long answers took.
    """

    lab: Lab
    took: dict[str, float]
    seconds: Mapping[str, float]
    cold: bool

    @property
    def solvers(self) -> tuple[str, ...]:
        return self.lab.solvers

    def ask(self, request: Request) -> Answer:
        limit = self.seconds.get(request.solver)
        paced = replace(request, cold=self.cold, again=self.cold, seconds=limit)
        answer = self.lab.ask(paced)
        self.took[request.solver] = answer.seconds
        return answer
