"""What made-up solvers show of one kind of defect, and what the judge says of them."""

from __future__ import annotations

from tests.defects.test_judge import MixedLab, Says

from falsum.defects.case import Case
from falsum.defects.evidence.judgement import Judgement
from falsum.defects.judge import judge
from falsum.defects.kind import Sight
from falsum.defects.recheck import shows
from falsum.defects.table import kind_of
from falsum.defects.targets.standing import Standing
from falsum.defects.targets.target import Target
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer, Cause, Ending, EndingKind
from falsum.solvers.fake_lab import FakeLab
from falsum.strategies.mutant import Mutant

THREE = (
    "(declare-const x Int)(assert (> x 0))(check-sat)(push 1)(assert (> x 5))(check-sat)(pop 1)(check-sat)"
)
SAT, UNSAT, UNKNOWN = Verdict.SAT, Verdict.UNSAT, Verdict.UNKNOWN
BAD, GOOD = Standing.BAD, Standing.GOOD
REJECTED = Answer((), Ending(EndingKind.REJECTED, Cause.UNSUPPORTED, "no"))
TIMED_OUT = Answer((), Ending(EndingKind.TIMED_OUT))


def judged(text: str, defect: str, suspect: str = "s", /, **solvers: Says) -> Judgement:
    """The judgement on a finding about a defect, or about whatever is wrong if that is ""."""
    lab = MixedLab(None, **solvers)
    return judge(text, (suspect,), lab.solvers, lab, about=kind_of(defect))


def sight(target: Target, answer: Answer, script: str = THREE, *, strictly: bool = False) -> Sight:
    """What a solver with this answer shows of a target."""
    lab = FakeLab({"s": lambda _text: answer})
    return shows(target, Case(Mutant(script)), "s", lab, strictly=strictly)


def standing(target: Target, answer: Answer, script: str = THREE, *, strictly: bool = False) -> Standing:
    return sight(target, answer, script, strictly=strictly).standing


def crashed(message: str, cause: Cause = Cause.ASSERTION, *verdicts: Verdict) -> Answer:
    return Answer(verdicts, Ending(EndingKind.CRASHED, cause, message))


def verdicts(*words: Verdict, model: str | None = None) -> Answer:
    return Answer(words, FINISHED, model=model)
