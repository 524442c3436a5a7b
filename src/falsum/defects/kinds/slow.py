"""slow: a solver takes far longer than it should, in CPU time.

Compared with an older release on the same script, with itself on an equivalent script, or with itself on the
seed if two other products are quick on the mutant, too. Possible false alarms: a mutant that is much harder
than its seed, for this solver alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from falsum.defects.case import Case
from falsum.defects.crash_answers import is_crash
from falsum.defects.defect import Oracle
from falsum.defects.evidence.evidence_session import EvidenceSession
from falsum.defects.evidence.judgement import Defect, Evidence, Judgement
from falsum.defects.finding import Finding
from falsum.defects.identity import signature
from falsum.defects.kind import DefectKind, Finder, Sight
from falsum.defects.targets.recognition import Sign, SignKind
from falsum.defects.targets.standing import Standing, answer_text, without_crash
from falsum.defects.targets.target import Target
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.names import families, family_of, is_older
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Claim

# A solver is slow if it takes this much CPU time at least, and this many times what it should.
LEAST_SECONDS: Final = 5.0
FACTOR: Final = 20.0
_FEWEST_OTHERS: Final = 2


class Slow(DefectKind):
    words = (Defect.SLOW,)
    rank = 110
    headline = "Slow on"
    expectation = "An answer in about the time of what it is compared with below."
    is_minor = True
    is_always_judged = True

    def judge(
        self, sessions: Sequence[EvidenceSession], suspects: tuple[str, ...], claim: Claim | None = None
    ) -> Judgement | None:
        """Judge whether a newer release is slow where an older one is not."""
        del claim
        session = sessions[-1]
        for new in suspects:
            after = session.answer(new)
            for old in session.solvers:
                before = session.answer(old)
                if is_older(old, new) and is_slow(after) and _is_quick(before, after):
                    text = f"{old} takes {before.cpu:.2f} s of CPU; {new} {_took(after)} {after.cpu:.2f} s."
                    evidence = Evidence("older release", text)
                    return Judgement(Defect.SLOW, (new,), None, (evidence,), session.check)
        return None

    def target(self, judgement: Judgement, oracle: str, want: Want, answer: Answer) -> Target | None:
        del judgement, answer
        return Target(self.name, oracle, "", want, seconds=LEAST_SECONDS)

    def shows(
        self, target: Target, case: Case, solver: str, lab: Lab, finder: Finder, *, strictly: bool = False
    ) -> Sight:
        """Whether the solver is slow, by CPU time alone if the baseline is known, or if the user states
        a limit.
        """
        if target.oracle and not target.is_known_of(case.text):
            return super().shows(target, case, solver, lab, finder, strictly=strictly)
        answer = lab.ask(Request(solver, case.text, target.want))
        standing = Standing.CRASHES if is_crash(answer) else without_crash(answer)
        if not answer.crashed and answer.cpu >= target.seconds:
            standing = Standing.BAD
        return Sight(standing, answer_text(answer), answer.seconds, answer)

    def observed(self, target: Target) -> str:
        return f"no answer within {target.seconds:g} s"

    def recognition(self, target: Target | None, answer: Answer) -> Sign:
        """No sign: CPU time measured by a shell means nothing on another machine."""
        return super().recognition(target, answer) if answer.crashed else Sign(SignKind.UNSEEN)


class SlowOracle(Oracle):
    name = "slow"
    defect = Slow()
    compares_solvers = True
    drops_unconfirmed = True

    def find(self, case: Case, lab: Lab) -> Finding | None:
        for solver in lab.solvers:
            answer = lab.ask(Request(solver, case.text, case.want))
            if not is_slow(answer) or ":" in solver:  # with settings, other engines may well be slow
                continue
            quick = next(
                (why for why, other in _baselines(solver, case, lab) if _is_quick(other, answer)), ""
            )
            if quick:
                return Finding(
                    kind=self.name,
                    suspects=(solver,),
                    # One finding for each theory is enough.
                    signature=signature.of_slow_answer(solver, case),
                    evidence=f"{solver} {_took(answer)} {answer.cpu:.1f} s of CPU; {quick}",
                    case=case,
                )
        return None


def is_slow(answer: Answer) -> bool:
    return answer.cpu >= LEAST_SECONDS and answer.ending.kind in {EndingKind.TIMED_OUT, EndingKind.FINISHED}


def _took(answer: Answer) -> str:
    return "is stopped after" if answer.ending.kind is EndingKind.TIMED_OUT else "takes"


def _is_quick(baseline: Answer, slow: Answer) -> bool:
    is_decided = baseline.finished and bool(baseline.verdicts) and all(v.decided for v in baseline.verdicts)
    return is_decided and baseline.cpu * FACTOR <= slow.cpu


def _baselines(solver: str, case: Case, lab: Lab) -> Iterator[tuple[str, Answer]]:
    """Answers that should have taken about as long, each with the sentence against the solver."""
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
