"""Contradiction: a solver, or falsum's evaluator, finds satisfiable what another answer calls unsat."""

from __future__ import annotations

from dataclasses import dataclass

from falsum.defects.case import Case
from falsum.defects.model_check import satisfies
from falsum.defects.open_points import choose_alike, is_held_to_its_word, reads_strings_as_standard
from falsum.smtlib import read_script
from falsum.smtlib.at_check import is_check
from falsum.smtlib.consequences import relay
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want


@dataclass(frozen=True, slots=True)
class Contradiction:
    """`solver` answers sat; `is_verified` if its model satisfies everything under our evaluator."""

    suspect: str
    solver: str
    is_verified: bool

    @property
    def is_proved(self) -> bool:
        """Whether the suspect's answer is shown to be wrong, or it contradicts itself."""
        return self.is_verified or self.solver == self.suspect

    @property
    def suspects(self) -> tuple[str, ...]:
        """The suspect alone if that is proved; otherwise both."""
        return (self.suspect,) if self.is_proved else tuple(sorted((self.suspect, self.solver)))

    def __str__(self) -> str:
        if self.is_verified:
            whose = "its own model" if self.solver == self.suspect else f"a model of {self.solver}"
            return f"under {whose} all of it evaluates to true"
        who = f"{self.suspect} itself" if self.solver == self.suspect else self.solver
        return f"{who} answers sat to it"


def last_verdict(solver: str, case: Case, lab: Lab) -> Verdict | None:
    """The verdict of a solver at the last check of a case; None if it has not answered all checks."""
    answer = lab.ask(Request(solver, case.text, case.want))
    checks = sum(map(is_check, case.script.commands)) if case.script is not None else 0
    return answer.verdict if answer.finished and len(answer.verdicts) == checks else None


def contradiction(script: str, suspect: str, case: Case, lab: Lab) -> Contradiction | None:
    """The contradiction, if any: a solver finds a script satisfiable that, according to the suspect, is
    unsat.

    A verified model is preferred to the suspect's own answer, and that to the answer of another solver. The
    script must have the logic and the options of the case; they are dropped only for solvers that reject it.
    """
    flat = read_script(script)
    first: Contradiction | None = None
    for solver in (suspect, *(other for other in lab.solvers if other != suspect)):
        answer = lab.ask(Request(solver, script, Want.MODEL))
        if solver != suspect and answer.ending.kind is EndingKind.REJECTED and not answer.verdicts:
            answer = lab.ask(Request(solver, relay.widened(script), Want.MODEL))
        if answer.verdict is not Verdict.SAT or not answer.is_complete:
            continue
        if not reads_strings_as_standard(script, solver, lab):
            continue
        holds, always = satisfies(flat, answer.model) if answer.model is not None else (False, False)
        alike = (
            is_held_to_its_word(case, suspect, lab)
            if solver == suspect
            else choose_alike(case, (solver, suspect), lab)
        )
        if holds and (always or alike):
            return Contradiction(suspect, solver, is_verified=True)
        if alike and first is None:
            first = Contradiction(suspect, solver, is_verified=False)
    return first
