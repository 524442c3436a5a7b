"""claim: a solver contradicts what is true of the mutant by construction.

Possible false alarms: a strategy whose theorem is wrong. A claim's witness is evaluated again here; a witness
that fails is a bug in falsum and not held against any solver.
"""

from __future__ import annotations

from falsum.defects.case import Case
from falsum.defects.defect import Oracle
from falsum.defects.finding import Finding
from falsum.defects.identity import signature
from falsum.defects.kinds.wrong_verdict.wrong_verdict import WRONG_VERDICT
from falsum.defects.model_check import satisfies
from falsum.defects.open_points import leaves_all_open, reads_strings_as_standard
from falsum.errors import FalsumError
from falsum.smtlib import Script
from falsum.smtlib.at_check import at_check
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.fragments.recursion import has_solution
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request


class BrokenClaimError(FalsumError):
    """Raised if a strategy claims what is not true."""


class ClaimOracle(Oracle):
    name = "claim"
    defect = WRONG_VERDICT

    def find(self, case: Case, lab: Lab) -> Finding | None:
        claim = case.mutant.claim
        if claim is None:
            return None
        for solver in lab.solvers:
            verdicts = lab.ask(Request(solver, case.text, case.want)).verdicts
            for check, (verdict, truth) in enumerate(zip(verdicts, claim.verdicts, strict=False)):
                if truth is None or not verdict.contradicts(truth):
                    continue
                if not reads_strings_as_standard(case.text, solver, lab):
                    continue
                if not self._holds_for(case, check, solver, lab):
                    continue
                reason = self._reason(case, check, truth)
                return Finding(
                    kind=self.name,
                    suspects=(solver,),
                    signature=signature.of_wrong_answer(
                        self.name, (solver,), case, detail=f"{verdict} for {truth}"
                    ),
                    evidence=f"{solver} answers {verdict} to check {check + 1}, which is {truth} {reason}",
                    case=case,
                )
        return None

    def _holds_for(self, case: Case, check: int, solver: str, lab: Lab) -> bool:
        """Whether the claim holds for every choice a solver makes at points the standard leaves open.

        Claims of sat do not if recursive definitions may have no solution. Claims rest on some solver's
        answer to the seed, unless a witness holds for every choice.
        """
        claim, flat = case.mutant.claim, _at(case, check)
        if (
            claim is not None
            and claim.verdicts[check] is Verdict.SAT
            and flat is not None
            and not has_solution(flat)
        ):
            return False
        return leaves_all_open(case, solver, lab) or self._witness_always_holds(case, check)

    def _witness_always_holds(self, case: Case, check: int) -> bool:
        claim, flat = case.mutant.claim, _at(case, check)
        return claim is not None and flat is not None and satisfies(flat, claim.witness).always

    def _reason(self, case: Case, check: int, truth: Verdict) -> str:
        """Why the claim holds, in words; raises BrokenClaimError if its witness contradicts it."""
        claim, flat = case.mutant.claim, _at(case, check)
        assert claim is not None
        if not claim.witness or truth is not Verdict.SAT or flat is None:
            return "by construction"
        truth_values = truths(flat, read_model(claim.witness, flat))
        if any(value is False for value in truth_values):
            raise BrokenClaimError(
                f"the witness of a claim makes assertion {truth_values.index(False) + 1} false"
            )
        if all(value is True for value in truth_values):
            return "by construction, with a witness that satisfies every assertion"
        return "by construction; falsum cannot evaluate every assertion under its witness"


def _at(case: Case, check: int) -> Script | None:
    """The assertions at a check; None if the script cannot be read."""
    return at_check(case.script, check) if case.script is not None else None
