"""reference: a solver answers a mutant and the script it must agree with differently.

Possible false alarms: a strategy whose relation between the two scripts is wrong, or a solver that chooses
differently in the two where the standard leaves something open. One solver is enough.
"""

from __future__ import annotations

from falsum.defects.case import Case
from falsum.defects.defect import Oracle
from falsum.defects.finding import Finding
from falsum.defects.identity import signature
from falsum.defects.kinds.wrong_verdict.wrong_verdict import WRONG_VERDICT
from falsum.defects.open_points import is_held_to_its_word
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request


class ReferenceOracle(Oracle):
    name = "reference"
    defect = WRONG_VERDICT

    def find(self, case: Case, lab: Lab) -> Finding | None:
        reference = case.mutant.reference
        if reference is None:
            return None
        for solver in lab.solvers:
            now = lab.ask(Request(solver, case.text, case.want)).verdicts
            if not any(verdict.decided for verdict in now):
                continue
            before = lab.ask(Request(solver, reference, case.want)).verdicts
            for check, (verdict, other) in enumerate(zip(now, before, strict=False)):
                if verdict.contradicts(other) and is_held_to_its_word(case, solver, lab):
                    return Finding(
                        kind=self.name,
                        suspects=(solver,),
                        signature=signature.of_wrong_answer(
                            self.name, (solver,), case, detail=f"{verdict} after {other}"
                        ),
                        evidence=f"{solver} answers {verdict} to check {check + 1} of the mutant and {other} "
                        "to the same check of its reference; they must agree",
                        case=case,
                    )
        return None
