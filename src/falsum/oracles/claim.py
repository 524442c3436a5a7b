"""claim: a solver contradicts what is true of the mutant by construction.

A false alarm would take: a strategy whose theorem is wrong. Where the claim brings a witness it is evaluated
again here; a witness that fails is our own fault and accuses nobody.
"""

from __future__ import annotations

from falsum.errors import FalsumError
from falsum.oracles.case import Case
from falsum.oracles.finding import Finding, Subject
from falsum.oracles.identity import signature
from falsum.oracles.judge.evidence_for_sat import satisfies
from falsum.oracles.open_points import leaves_all_open, reads_strings_as_standard
from falsum.oracles.oracle import Oracle
from falsum.smtlib import Script
from falsum.smtlib.at_check import at_check
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request


class BrokenClaimError(FalsumError):
    """A strategy promised what does not hold."""


class Claim(Oracle):
    name = "claim"
    subject = Subject.VERDICT

    def judge(self, case: Case, lab: Lab) -> Finding | None:
        claim = case.mutant.claim
        if claim is None:
            return None
        for solver in lab.solvers:
            said = lab.ask(Request(solver, case.text, case.want)).verdicts
            for check, (verdict, truth) in enumerate(zip(said, claim.verdicts, strict=False)):
                if truth is None or not verdict.contradicts(truth):
                    continue
                if reads_strings_as_standard(case.text, solver, lab) and self._is_firm(
                    case, check, solver, lab
                ):
                    support = self._support(case, check, truth)
                    return Finding(
                        kind=self.name,
                        suspects=(solver,),
                        signature=signature.of_wrong_answer(
                            self.name, (solver,), case, detail=f"{verdict} for {truth}"
                        ),
                        evidence=f"{solver} says {verdict} to check {check + 1}; it is {truth} {support}",
                        case=case,
                    )
        return None

    def _is_firm(self, case: Case, check: int, solver: str, lab: Lab) -> bool:
        """Whether nobody's choice at a point the standard leaves open can be behind the claim.

        It goes back to what some solver said of the seed, unless a witness holds whatever is chosen.
        """
        return leaves_all_open(case, solver, lab) or self._always_holds(case, check)

    def _always_holds(self, case: Case, check: int) -> bool:
        claim, flat = case.mutant.claim, _at(case, check)
        return claim is not None and flat is not None and satisfies(flat, claim.witness)[1]

    def _support(self, case: Case, check: int, truth: Verdict) -> str:
        """Why the claim holds, in words; raises if its witness says otherwise."""
        claim, flat = case.mutant.claim, _at(case, check)
        assert claim is not None
        if not claim.witness or truth is not Verdict.SAT or flat is None:
            return "by construction"
        held = truths(flat, read_model(claim.witness, flat))
        if any(value is False for value in held):
            raise BrokenClaimError(f"the witness of a claim makes assertion {held.index(False) + 1} false")
        if all(value is True for value in held):
            return "by construction, and the witness satisfies every assertion under our evaluator"
        return "by construction; our evaluator cannot say for every assertion"


def _at(case: Case, check: int) -> Script | None:
    """What is in force at a check; None if we cannot read it."""
    return at_check(case.script, check) if case.script is not None else None
