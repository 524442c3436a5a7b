"""disagreement: two solvers, or two configurations or releases of one, contradict each other at a check.

Possible false alarms: a script that the two read differently (old string escapes), or one that depends on
points the standard leaves open. Both are tested on the solvers themselves: see `open_points`. If they may
choose differently, only evidence that holds for every choice counts: a model, or evaluation.
"""

from __future__ import annotations

from falsum.defects.case import Case
from falsum.defects.defect import Oracle
from falsum.defects.evidence.evidence_for_unsat import by_evaluation
from falsum.defects.finding import Finding
from falsum.defects.identity import signature
from falsum.defects.kinds.wrong_verdict.wrong_verdict import WRONG_VERDICT
from falsum.defects.model_check import satisfies
from falsum.defects.open_points import choose_alike, read_alike
from falsum.smtlib.text.command_text import until_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab
from falsum.solvers.names import families
from falsum.solvers.request import Request, Want


class DisagreementOracle(Oracle):
    name = "disagreement"
    defect = WRONG_VERDICT
    compares_solvers = True

    def find(self, case: Case, lab: Lab) -> Finding | None:
        answers = {solver: lab.ask(Request(solver, case.text, case.want)) for solver in lab.solvers}
        for check in range(max((len(answer.verdicts) for answer in answers.values()), default=0)):
            sides = _sides(answers, check)
            if len(sides) < 2:
                continue
            deciding = tuple(solver for side in sides.values() for solver in side)
            if not choose_alike(case, deciding, lab) and not (
                read_alike(case, deciding, lab) and _is_decided(case, check, sides, lab)
            ):
                continue
            verdicts = "; ".join(f"{', '.join(side)}: {verdict}" for verdict, side in sides.items())
            suspects = _suspects(sides)
            return Finding(
                kind=self.name,
                suspects=suspects,
                signature=signature.of_wrong_answer(
                    self.name, suspects, case, detail=_verdicts_of(suspects, sides)
                ),
                evidence=f"check {check + 1}: {verdicts}",
                case=case,
            )
        return None


def _sides(answers: dict[str, Answer], check: int) -> dict[Verdict, list[str]]:
    """The solvers that answer sat and those that answer unsat at a check, in their order."""
    sides: dict[Verdict, list[str]] = {}
    for solver, answer in answers.items():
        if check < len(answer.verdicts) and answer.verdicts[check].decided:
            sides.setdefault(answer.verdicts[check], []).append(solver)
    return sides


def _is_decided(case: Case, check: int, sides: dict[Verdict, list[str]], lab: Lab) -> bool:
    """Whether our evaluator decides a check for every choice at open points."""
    if check >= len(case.checks):
        return False
    flat, text = case.checks[check], until_check(case.text, check)
    answers = (lab.ask(Request(solver, text, Want.MODEL)) for solver in sides[Verdict.SAT])
    is_sat = any(
        answer.verdict is Verdict.SAT and answer.model is not None and satisfies(flat, answer.model).always
        for answer in answers
    )
    return is_sat or by_evaluation(flat) is not None


def _suspects(sides: dict[Verdict, list[str]]) -> tuple[str, ...]:
    """The solvers on the side with fewer products, or both sides if they are equal: a hint for sorting, not a
    judgement.
    """
    small, large = sorted(sides.values(), key=lambda side: len(families(side)))
    is_smaller = len(families(small)) < len(families(large))
    return tuple(small) if is_smaller else tuple(sorted(small + large))


def _verdicts_of(suspects: tuple[str, ...], sides: dict[Verdict, list[str]]) -> str:
    return " ".join(
        f"{solver}:{verdict}" for solver in suspects for verdict in sides if solver in sides[verdict]
    )
