"""disagreement: two solvers, or two configurations or releases of one, contradict each other at one check.

A false alarm would take: a script that the two read differently (old string escapes) or that turns on a point
the standard leaves open. Both are tried out on the solvers themselves: see `open_points`.
"""

from __future__ import annotations

from falsum.oracles.case import Case
from falsum.oracles.finding import Finding, Subject
from falsum.oracles.identity import signature
from falsum.oracles.open_points import choose_alike
from falsum.oracles.oracle import Oracle
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request


class Disagreement(Oracle):
    name = "disagreement"
    subject = Subject.VERDICT
    compares_solvers = True

    def judge(self, case: Case, lab: Lab) -> Finding | None:
        answers = {solver: lab.ask(Request(solver, case.text, case.want)) for solver in lab.solvers}
        for check in range(max((len(answer.verdicts) for answer in answers.values()), default=0)):
            sides = _sides(answers, check)
            if len(sides) < 2:
                continue
            parties = tuple(solver for side in sides.values() for solver in side)
            if not choose_alike(case, parties, lab):
                continue
            said = "; ".join(f"{', '.join(side)}: {verdict}" for verdict, side in sides.items())
            suspects = _suspects(sides)
            return Finding(
                kind=self.name,
                suspects=suspects,
                signature=signature.of_wrong_answer(
                    self.name, suspects, case, detail=_sayings(sides, suspects)
                ),
                evidence=f"check {check + 1}: {said}",
                case=case,
            )
        return None


def _sides(answers: dict[str, Answer], check: int) -> dict[Verdict, list[str]]:
    """Who decided what at a check, in the order of the solvers."""
    sides: dict[Verdict, list[str]] = {}
    for solver, answer in answers.items():
        if check < len(answer.verdicts) and answer.verdicts[check].decided:
            sides.setdefault(answer.verdicts[check], []).append(solver)
    return sides


def _suspects(sides: dict[Verdict, list[str]]) -> tuple[str, ...]:
    """The smaller side, or everybody where the sides are equal: a hint for sorting, not a judgment."""
    small, large = sorted(sides.values(), key=len)
    return tuple(small) if len(small) < len(large) else tuple(sorted(small + large))


def _sayings(sides: dict[Verdict, list[str]], suspects: tuple[str, ...]) -> str:
    return " ".join(
        f"{solver}:{verdict}" for solver in suspects for verdict in sides if solver in sides[verdict]
    )
