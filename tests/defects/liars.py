"""Labs with solvers that are honest, and with solvers that lie in one way each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from falsum.defects.case import Case
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.fake_lab import FakeLab, Reply
from falsum.solvers.request import Request, Want
from falsum.strategies.mutant import Claim, Mutant

POSITIVE = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 0))(check-sat)"
IMPOSSIBLE = "(set-logic QF_LIA)(declare-const x Int)(assert (and (> x 0) (< x 0)))(check-sat)"
# Scripts that must agree with the two.
AGREEING = {
    POSITIVE: "(set-logic QF_LIA)(declare-const x Int)(assert (< 0 x))(check-sat)",
    IMPOSSIBLE: "(set-logic QF_LIA)(declare-const x Int)(assert (< 0 x 0))(check-sat)",
}
# An assertion with atoms and numbers.
SPLIT = "(set-logic QF_LIA)(declare-const x Int)(assert (or (> x 0) (< x 1)))(check-sat)"
# Two assertions, each of which is satisfiable alone.
TWO = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 0))(assert (< x 0))(check-sat)"
# Horn clauses, in which p is what is below 4; and some that our evaluator does not decide.
CLAUSES = (
    "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 3))"
    "(assert (forall ((x Int)) (=> (and (p x) (> x 3)) false)))(check-sat)"
)
SQUARES = (
    "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (forall ((x Int)) (=> (> x 0) (p x (* x x)))))"
    "(assert (forall ((x Int) (y Int)) (=> (and (p x y) (< y x)) false)))(check-sat)"
)
BAD_SQUARES = "((define-fun p ((x Int) (y Int)) Bool (and (>= y x) (distinct y 15241578750190521))))"
GOOD_MODEL = "((define-fun x () Int 1))"
BAD_MODEL = "((define-fun x () Int 0))"

CRASH = Ending(EndingKind.CRASHED, Cause.ASSERTION, "Assertion `n > 0' failed at /build/a7/rewriter.cpp:117")
TIMED_OUT = Answer((), Ending(EndingKind.TIMED_OUT))
REJECTED = Answer((), Ending(EndingKind.REJECTED, Cause.UNSUPPORTED, "unsupported"))


def sat(model: str | None = None) -> Answer:
    return Answer((Verdict.SAT,), FINISHED, model=model)


def honest(script: str) -> Answer:
    """Right about the scripts of this file, and unsure about all else."""
    if script in (POSITIVE, AGREEING[POSITIVE]):
        return sat(GOOD_MODEL)
    is_impossible = script in (IMPOSSIBLE, AGREEING[IMPOSSIBLE])
    return Answer((Verdict.UNSAT if is_impossible else Verdict.UNKNOWN,), FINISHED)


def says(reply: Reply) -> Callable[[str], Reply]:
    return lambda _script: reply


def on_two(reply: Answer) -> Callable[[str], Reply]:
    """This reply to the two assertions together; sat, with a model, if not all is assumed."""
    model = (
        "((define-fun x () Int 1) (define-fun falsum!a1 () Bool true) (define-fun falsum!a2 () Bool false))"
    )

    def replies(script: str) -> Reply:
        together = "(< x 0)" in script and "(assert falsum!a1)" not in script
        return reply if together else sat(model)

    return replies


def optimises_badly(script: str) -> Answer:
    """Gives 3 as the largest and the smallest value of everything, with a model in which x is 2."""
    if "get-objectives" not in script:
        return sat(GOOD_MODEL)
    value = "2" if "(assert (< x 3))" in script else "3"  # the probe
    model = "((define-fun x () Int 2))"
    return Answer(
        (Verdict.SAT,), FINISHED, model=model, stdout=f"sat\n(objectives\n (x {value})\n)\n{model}\n"
    )


def breaks_laws(script: str) -> Reply:
    """Answers sat to the two assertions, and unsat to anything else."""
    return sat() if script == SPLIT else "unsat"


def honest_but(text: str, reply: Reply) -> Callable[[str], Reply]:
    """Honest, with another reply to one script."""
    return lambda script: reply if script == text else honest(script)


def breaks_limits(script: str) -> Reply:
    """Answers unsat when it has reached a limit of its own."""
    return "unsat" if ":rlimit" in script else "sat"


def lab_of(**functions: Callable[[str], Reply]) -> FakeLab:
    return FakeLab(functions)


def case_of(
    text: str = POSITIVE,
    *,
    claim: Verdict | None = None,
    witness: str = "",
    reference: str | None = None,
    want: Want = Want.MODEL,
) -> Case:
    claimed = Claim((claim,), witness) if claim else None
    return Case(Mutant(text, claimed, reference, ("test",)), (), want)


@dataclass
class TwoFacedLab:
    """A lab whose one solver says one thing when warm and others when cold, in turn."""

    warm: Answer
    cold: list[Answer]
    asked: list[bool] = field(default_factory=list)
    solvers: tuple[str, ...] = ("solver",)

    def ask(self, request: Request) -> Answer:
        self.asked.append(request.cold)
        if not request.cold:
            return self.warm
        return self.cold[(self.asked.count(True) - 1) % len(self.cold)]
