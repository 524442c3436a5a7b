"""proof: a solver that answers unsat crashes over its proof, or a checker refuses the proof.

The checker is the solver's own, and an external one where it is on PATH. Possible false alarms: a checker
that is wrong, or of another release than the solver. A rejection (a format without a theory) is none.
"""

from __future__ import annotations

import re
from typing import Final

from falsum.defects.case import Case
from falsum.defects.contradiction import last_verdict
from falsum.defects.defect import Oracle
from falsum.defects.evidence.judgement import Defect
from falsum.defects.finding import Finding
from falsum.defects.identity import signature
from falsum.defects.kind import DefectKind
from falsum.defects.kinds.faulty_proof.proof_checkers import CHECKERS
from falsum.defects.targets.recognition import Sign, SignKind
from falsum.defects.targets.target import Target
from falsum.smtlib.at_check import at_last_check
from falsum.smtlib.consequences import relay
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab
from falsum.solvers.messages import without_run_noise
from falsum.solvers.names import product_of
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.profiles.profile import ProofFormat
from falsum.solvers.request import Request

_PROOF: Final = re.compile(r"^unsat\s*(\(.*\))\s*\Z", re.DOTALL | re.MULTILINE)


class FaultyProof(DefectKind):
    words = (Defect.FAULTY_PROOF,)
    rank = 70
    library_checks = ("proof",)
    headline = "Faulty proof for"
    expectation = "A proof that is produced without an error and that checkers accept."

    def recognition(self, target: Target | None, answer: Answer) -> Sign:
        """No sign: only a checker can tell whether a proof is faulty."""
        return super().recognition(target, answer) if answer.crashed else Sign(SignKind.UNSEEN)


class ProofOracle(Oracle):
    name = "proof"
    defect = FaultyProof()
    every = 128
    draws = 3

    def find(self, case: Case, lab: Lab) -> Finding | None:
        flat = at_last_check(case.script) if case.script is not None and case.is_understood else None
        for solver in lab.solvers if flat is not None else ():
            assert flat is not None
            profile = BY_PRODUCT.get(product_of(solver))
            if profile is None or not profile.proofs:
                continue
            if last_verdict(solver, case, lab) is not Verdict.UNSAT:
                continue
            form = profile.proofs[case.draw_number % len(profile.proofs)]
            plain = relay.plain(flat)
            request = Request(solver, f"{form.commands}{plain}(get-proof)\n")
            answer = lab.ask(request)
            wrong, detail = _wrong(answer, form, plain)
            # What the script shows without a proof is another finding.
            if not wrong or lab.ask(Request(solver, plain)).verdict is not Verdict.UNSAT:
                continue
            return Finding(
                kind=self.name,
                suspects=(solver,),
                signature=f"proof | {solver} | {form.name} | {detail}"
                if detail
                else signature.of_wrong_answer(self.name, (solver,), case, detail=form.name),
                evidence=f"{solver} answers unsat, but {wrong}",
                case=case,
                request=request,
            )
        return None


def _wrong(answer: Answer, form: ProofFormat, script: str) -> tuple[str, str]:
    """What is wrong with a proof, and what identifies the defect; None if it is right."""
    ending = answer.ending
    if answer.crashed:
        return f"{ending} when it has to prove it ({form.name})", without_run_noise(ending.message)
    if answer.verdict is Verdict.SAT:
        return f"sat when it has to prove it ({form.name})", ""
    match = _PROOF.search(answer.stdout)
    checker = CHECKERS.get(form.checker)
    if not answer.finished or match is None or checker is None:
        return "", ""
    refusal = checker.refusal(match[1], script)
    return (f"{checker.program} refuses its proof ({form.name}): {refusal}", refusal) if refusal else ("", "")
