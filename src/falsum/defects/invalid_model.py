"""model: a solver's own model makes an assertion false under our evaluator.

Looks at the model of every check answered sat, each against what is asserted at that check. Possible false
alarms: a bug in the evaluator or in the reader of models. Only a plain *false* is evidence, *cannot say*
never is, and neither are models of a solver that reads the script's strings in an old way.
"""

from __future__ import annotations

from typing import Final

from falsum.defects.case import Case
from falsum.defects.defect import Oracle
from falsum.defects.finding import Finding, Subject, shortened
from falsum.defects.identity import signature
from falsum.defects.model_check import falsified
from falsum.defects.open_points import reads_strings_as_standard
from falsum.smtlib import Script, print_term
from falsum.smtlib.scripts import changes_meaning
from falsum.smtlib.terms import Term
from falsum.smtlib.text.command_text import until_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want

_MOST_CHECKS: Final = 6


class ModelOracle(Oracle):
    name = "model"
    subject = Subject.MODEL
    want = Want.MODEL

    def judge(self, case: Case, lab: Lab) -> Finding | None:
        if case.script is None or any(map(changes_meaning, case.script.commands)):
            return None
        for solver in lab.solvers:
            for check, flat, text in self._models(case, solver, lab):
                wrong = falsified(flat, text, is_standard=True)
                if wrong is None or not reads_strings_as_standard(case.text, solver, lab):
                    continue
                if falsified(flat, text) is None and not reads_strings_as_standard(text, solver, lab):
                    continue
                return Finding(
                    kind=self.name,
                    suspects=(solver,),
                    signature=signature.of_wrong_answer(self.name, (solver,), case, (wrong,)),
                    evidence=_evidence(solver, check, wrong),
                    case=case,
                )
        return None

    def _models(self, case: Case, solver: str, lab: Lab) -> list[tuple[int, Script, str]]:
        """Number of the check, what is asserted at it, and the model, for every check with a model."""
        answer = lab.ask(Request(solver, case.text, Want.MODEL))
        if Verdict.SAT not in answer.verdicts:
            return []
        found = []
        checks = case.checks
        for check, (flat, verdict) in enumerate(zip(checks, answer.verdicts, strict=False)):
            if verdict is not Verdict.SAT or (check >= _MOST_CHECKS and check + 1 < len(checks)):
                continue
            is_last = check + 1 == len(checks)
            # Models are printed at the last check only, so the script is cut after an earlier one.
            here = answer if is_last else lab.ask(Request(solver, until_check(case.text, check), Want.MODEL))
            if here.model is not None and here.finished and here.verdict is Verdict.SAT:
                found.append((check, flat, here.model))
        return found


def _evidence(solver: str, check: int, assertion: Term) -> str:
    shown = shortened(print_term(assertion))
    return f"{solver} answers sat to check {check + 1}, but under its own model {shown} evaluates to false"
