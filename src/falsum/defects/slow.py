"""slow: a solver takes far longer than it should, in CPU time.

Compared with an older release on the same script, with itself on a script the mutant is equivalent to, or
with itself on the seed if two other products are quick on the mutant, too. Possible false alarms: a mutant
that is much harder than its seed, for this solver alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from falsum.defects.case import Case
from falsum.defects.defect import Oracle
from falsum.defects.finding import Finding, Subject
from falsum.defects.identity import signature
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.names import families, family_of, is_older
from falsum.solvers.request import Request

# A solver is slow if it takes at least so many CPU seconds, and so many times as long as it should.
LEAST_SECONDS: Final = 5.0
FACTOR: Final = 20.0
_FEWEST_OTHERS: Final = 2


class SlowOracle(Oracle):
    name = "slow"
    subject = Subject.TIME
    compares_solvers = True
    drops_unconfirmed = True

    def judge(self, case: Case, lab: Lab) -> Finding | None:
        for solver in lab.solvers:
            answer = lab.ask(Request(solver, case.text, case.want))
            if not is_slow(answer) or ":" in solver:  # with settings, other engines may well be slow
                continue
            quick = next(
                (why for why, other in _baselines(solver, case, lab) if _is_quick(other, answer)), ""
            )
            if quick:
                took = "is stopped after" if answer.ending.kind is EndingKind.TIMED_OUT else "takes"
                return Finding(
                    kind=self.name,
                    suspects=(solver,),
                    # One finding for each theory is enough.
                    signature=signature.of_slow_answer(solver, case),
                    evidence=f"{solver} {took} {answer.cpu:.1f} s of CPU; {quick}",
                    case=case,
                )
        return None


def is_slow(answer: Answer) -> bool:
    return answer.cpu >= LEAST_SECONDS and answer.ending.kind in {EndingKind.TIMED_OUT, EndingKind.FINISHED}


def _is_quick(baseline: Answer, slow: Answer) -> bool:
    decided = baseline.finished and bool(baseline.verdicts) and all(v.decided for v in baseline.verdicts)
    return decided and baseline.cpu * FACTOR <= slow.cpu


def _baselines(solver: str, case: Case, lab: Lab) -> Iterator[tuple[str, Answer]]:
    """Answers that should have taken about as long, each with what it says against the solver."""
    for other in lab.solvers:
        if is_older(other, solver):
            answer = lab.ask(Request(other, case.text, case.want))
            yield f"{other} takes {answer.cpu:.2f} s", answer
    if case.mutant.reference is not None:
        answer = lab.ask(Request(solver, case.mutant.reference, case.want))
        yield f"it takes {answer.cpu:.2f} s for the script that the mutant is equivalent to", answer
    slow = lab.ask(Request(solver, case.text, case.want))
    others = [other for other in lab.solvers if family_of(other) != family_of(solver)]
    quick = [other for other in others if _is_quick(lab.ask(Request(other, case.text, case.want)), slow)]
    if len(families(quick)) >= _FEWEST_OTHERS and len(case.seeds) == 1:
        answer = lab.ask(Request(solver, case.seeds[0].text))
        yield f"it takes {answer.cpu:.2f} s for the seed, and {', '.join(quick)} are as quick here", answer
