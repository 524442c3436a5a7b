"""drawn: a solver answers unsat, but a model drawn at random satisfies every assertion.

It needs no other solver, so it looks where only one product reads a script, or all of them are wrong.
Possible false alarms: a wrong evaluator.
"""

from __future__ import annotations

from dataclasses import replace

from falsum.defects.case import Case
from falsum.defects.defect import Oracle
from falsum.defects.evidence.drawn_model import drawn_model
from falsum.defects.finding import Finding
from falsum.defects.identity import signature
from falsum.defects.kinds.wrong_verdict.wrong_verdict import WRONG_VERDICT
from falsum.defects.open_points import reads_strings_as_standard
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request
from falsum.strategies.mutant import Claim


class DrawnOracle(Oracle):
    name = "drawn"
    defect = WRONG_VERDICT

    def find(self, case: Case, lab: Lab) -> Finding | None:
        if case.script is None or not case.is_understood:
            return None
        answers = {solver: lab.ask(Request(solver, case.text, case.want)).verdicts for solver in lab.solvers}
        for check, flat in enumerate(case.checks):
            answers_said = {
                name: verdicts[check] for name, verdicts in answers.items() if check < len(verdicts)
            }
            if Verdict.UNSAT not in answers_said.values() or Verdict.SAT in answers_said.values():
                continue  # whoever contradicts another is looked at by others
            witness = drawn_model(flat)
            for solver in answers_said if witness else ():
                if answers_said[solver] is not Verdict.UNSAT or not reads_strings_as_standard(
                    case.text, solver, lab
                ):
                    continue
                verdicts = tuple(Verdict.SAT if n == check else None for n in range(len(case.checks)))
                return Finding(
                    kind=self.name,
                    suspects=(solver,),
                    signature=signature.of_wrong_answer(self.name, (solver,), case),
                    evidence=f"{solver} answers unsat to check {check + 1}, but a model drawn at random "
                    "satisfies every assertion",
                    case=replace(case, mutant=replace(case.mutant, claim=Claim(verdicts, witness))),
                )
        return None
