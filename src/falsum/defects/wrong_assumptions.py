"""assumptions: what a solver names as unsat assumptions is satisfiable.

A script without assumptions is asked with one for each of its assertions: a Boolean constant that implies it.
Possible false alarms: a list of assumptions that is read wrongly; one with anything else than assumptions of
the script, as falsum prints them, is not judged.
"""

from __future__ import annotations

from falsum.defects.case import Case
from falsum.defects.contradiction import contradiction, last_verdict
from falsum.defects.defect import Oracle
from falsum.defects.finding import Finding, Subject
from falsum.defects.identity import signature
from falsum.smtlib.consequences import relay
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.output import unsat_assumptions
from falsum.solvers.request import Request, Want


class AssumptionsOracle(Oracle):
    name = "assumptions"
    subject = Subject.ASSUMPTIONS
    compares_solvers = True
    every = 64

    def judge(self, case: Case, lab: Lab) -> Finding | None:
        if case.script is None or not case.is_understood:
            return None
        unsat = [s for s in lab.solvers if last_verdict(s, case, lab) is Verdict.UNSAT]
        text = relay.with_indicators(case.script) if unsat else None
        if text is None:
            return None
        last = relay.last_check(text)
        for solver in unsat:
            request = Request(solver, text, Want.ASSUMPTIONS)
            listed = unsat_assumptions(lab.ask(request), last)
            script = relay.with_assumptions(text, last, listed) if listed else None
            found = contradiction(script, solver, case, lab) if script is not None else None
            if found is not None:
                so = "with which the script is satisfiable:" if found.is_proved else "but with these"
                return Finding(
                    kind=self.name,
                    suspects=found.suspects,
                    signature=signature.of_wrong_answer(self.name, found.suspects, case),
                    evidence=f"{solver} answers unsat and names the assumptions {listed}, {so} {found}",
                    case=case,
                    request=request,
                )
        return None
