"""AgreedValues: values on which two solvers agree, for fragments that the evaluator cannot value."""

from __future__ import annotations

from typing import Final

from falsum.smtlib import Script, print_script
from falsum.smtlib.printing.printer import print_term
from falsum.smtlib.scripts import DECLARATIONS, DeclareFun, SetLogic
from falsum.smtlib.terms import Term
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request

_ENOUGH: Final = 2
# How models name values that no script can contain.
_ABSTRACT: Final = ("(as @", "!val!")


class AgreedValues:
    """Asks the solvers of a lab about closed formulas, with the symbols of a script defined as in a witness.

    A formula is true if two solvers refute its negation, and false if two refute the formula itself: that
    holds for every interpretation of open points.
    """

    def __init__(self, script: Script, lab: Lab, seconds: float) -> None:
        commands = (SetLogic, *(kind for kind in DECLARATIONS if kind is not DeclareFun))
        self._front = print_script(Script(tuple(c for c in script.commands if isinstance(c, commands))))
        self._lab = lab
        self._seconds = seconds

    def value(self, formula: Term, witness: str) -> bool | None:
        """The value on which solvers agree; None if too few decide, or if they contradict each other."""
        if any(mark in witness for mark in _ABSTRACT):
            return None
        text = print_term(formula)
        for holds, refuted in ((False, text), (True, f"(not {text})")):
            question = f"{self._front}{witness}(assert {refuted})\n(check-sat)\n"
            verdicts = self._verdicts(question)
            if verdicts == [Verdict.UNSAT] * _ENOUGH:
                return holds
            if Verdict.UNSAT in verdicts:
                return None
        return None

    def _verdicts(self, question: str) -> list[Verdict]:
        """The verdicts of the first solvers that decide; a single *sat* ends the search."""
        verdicts: list[Verdict] = []
        for solver in self._lab.solvers:
            verdict = self._lab.ask(Request(solver, question, seconds=self._seconds)).verdict
            if verdict is not None and verdict.decided:
                verdicts.append(verdict)
            if verdict is Verdict.SAT or len(verdicts) == _ENOUGH:
                break
        return verdicts
