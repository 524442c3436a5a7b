"""core: what a solver names as an unsat core is satisfiable.

Possible false alarms: a core that is read wrongly. Assertions that cannot be in a core, because they have no
name, and assumptions are always taken to belong to it. A core without a single assertion is not judged.
"""

from __future__ import annotations

from falsum.defects.case import Case
from falsum.defects.contradiction import contradiction, last_verdict
from falsum.defects.defect import Oracle
from falsum.defects.finding import Finding, Subject
from falsum.defects.identity import signature
from falsum.plural import counted
from falsum.smtlib import read_script
from falsum.smtlib.consequences import relay
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request, Want
from falsum.solvers.safe_script import assertions_sent


class CoreOracle(Oracle):
    name = "core"
    subject = Subject.CORE
    compares_solvers = True
    every = 64

    def judge(self, case: Case, lab: Lab) -> Finding | None:
        if not case.is_understood:
            return None
        for solver in lab.solvers:
            if last_verdict(solver, case, lab) is not Verdict.UNSAT:
                continue
            request = Request(solver, case.text, Want.CORE)
            answer = lab.ask(request)
            if answer.core is None or not answer.finished or answer.verdict is not Verdict.UNSAT:
                continue
            script = relay.core_of(case.text, answer.core, assertions_sent(case.text))
            found = contradiction(script, solver, case, lab) if script is not None else None
            if script is not None and found is not None:
                core = read_script(script).assertions
                return Finding(
                    kind=self.name,
                    suspects=found.suspects,
                    signature=signature.of_wrong_answer(self.name, found.suspects, case, core),
                    evidence=f"{solver} answers unsat and names a core of "
                    f"{counted(len(core), 'assertion')}"
                    f"{' that is satisfiable:' if found.is_proved else ', but'} {found}",
                    case=case,
                    request=request,
                )
        return None
