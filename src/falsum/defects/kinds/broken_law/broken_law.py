"""law: the answers of one solver to scripts that belong together contradict each other.

A script is sat exactly if one part of a case split is; parts are an atom and its negation, two atoms, or
where the value of a number lies. What a solver simplifies or eliminates stays equisatisfiable; interpolants
and abducts are what their definition says. Possible false alarms: none for splits; a printed term that is
read wrongly for the others. One solver is enough; which of its answers is wrong is for the judge.
"""

from __future__ import annotations

from random import Random
from typing import Final

from falsum.defects.case import Case
from falsum.defects.contradiction import last_verdict
from falsum.defects.defect import Oracle
from falsum.defects.evidence.judgement import Defect
from falsum.defects.finding import Finding, shortened
from falsum.defects.identity import signature
from falsum.defects.kind import DefectKind
from falsum.defects.kinds.broken_law import definitions, splits
from falsum.defects.kinds.broken_law.definitions import Broken
from falsum.defects.open_points import is_held_to_its_word, touched
from falsum.defects.targets.recognition import Sign, of_text
from falsum.defects.targets.target import Target
from falsum.errors import FalsumError
from falsum.smtlib import Script
from falsum.smtlib.at_check import at_last_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request

_SPLIT_SHARE: Final = 0.6


class BrokenLaw(DefectKind):
    words = (Defect.SELF_CONTRADICTION,)
    rank = 80
    relates_scripts = True
    headline = "Contradicting answers to"
    expectation = "Answers that can all be right together."

    def recognition(self, target: Target | None, answer: Answer) -> Sign:
        """The term that the solver prints, if that is what is wrong."""
        is_term = answer.finished and answer.is_silent and bool(answer.stdout.strip())
        return of_text(answer.stdout) if is_term else super().recognition(target, answer)


class LawOracle(Oracle):
    name = "law"
    defect = BrokenLaw()
    every = 64
    draws = 6

    def find(self, case: Case, lab: Lab) -> Finding | None:
        flat = at_last_check(case.script) if case.script is not None and case.is_understood else None
        if flat is None or not flat.assertions:
            return None
        for solver in lab.solvers:
            whole = last_verdict(solver, case, lab)
            if whole is None or not whole.decided:
                continue
            if not is_held_to_its_word(case, solver, lab):
                continue
            rng = Random(case.draw_number)
            # At an open point, engines of one solver may choose differently: only splits hold for any choice.
            try:
                broken_law = (
                    _split(flat, whole, solver, lab, rng)
                    if rng.random() < _SPLIT_SHARE or touched(case)
                    else definitions.broken(flat, whole, solver, lab, rng)
                )
            except FalsumError:  # a term that solvers print and falsum cannot read
                continue
            if broken_law is not None:
                return Finding(
                    kind=self.name,
                    suspects=(solver,),
                    signature=signature.of_wrong_answer(self.name, (solver,), case, detail=broken_law.law),
                    evidence=f"{solver} answers {whole} to the script, but {broken_law.how}",
                    case=case,
                    request=broken_law.request,
                )
        return None


def _split(flat: Script, whole: Verdict, solver: str, lab: Lab, rng: Random) -> Broken | None:
    """The law of a case split that the answers to the script and its parts break."""
    splits_drawn = splits.drawn(flat, rng)
    if splits_drawn is None:
        return None
    for part in splits_drawn.parts:
        verdict = lab.ask(Request(solver, splits.with_assertion(flat, part))).verdict
        if whole is Verdict.UNSAT and verdict is Verdict.SAT:
            return Broken(splits_drawn.law, f"sat with {shortened(part, 120)} in addition")
        if whole is Verdict.SAT and verdict is not Verdict.UNSAT:
            return None
    if whole is Verdict.SAT:
        parts = ", ".join(shortened(part, 80) for part in splits_drawn.parts)
        return Broken(splits_drawn.law, f"unsat with each of {parts}")
    return None
