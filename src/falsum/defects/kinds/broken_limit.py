"""limits: a solver's own time or resource limit does not stop it, or changes what is right.

Each solver is asked again under limits of its own (`:timeout`, `:rlimit`, `:tlimit-per`, …), and goes on
after the last check: the same check again, one in a scope that asserts `false`, and the same once more. An
answer must not contradict the one without a limit. A time limit has to stop a check before it has taken 20
times as long, and 5 seconds at least, in CPU time; a resource limit before 5 seconds.
Possible false alarms: a solver that changes its mind about what the standard leaves open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from falsum.defects.case import Case
from falsum.defects.crash_answers import is_crash
from falsum.defects.defect import Oracle
from falsum.defects.finding import Finding
from falsum.defects.identity import signature
from falsum.defects.kind import DefectKind, Finder, Sight
from falsum.defects.targets.standing import Standing, without_crash
from falsum.defects.targets.target import Target
from falsum.smtlib.text.command_text import split_commands, until_check
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.lab import Lab
from falsum.solvers.names import profile_of
from falsum.solvers.profiles.profile import OwnLimit
from falsum.solvers.request import Request

_CHECK: Final = "check-sat"
_AGAIN: Final = "\n(check-sat)\n(push 1)\n(assert false)\n(check-sat)\n(pop 1)\n(check-sat)\n"
# A check may take this much CPU time under a limit, and this many times the time limit.
LEAST_SECONDS: Final = 5.0
FACTOR: Final = 20.0
# A solver that takes this long without a limit, or longer than it may, is worth one.
_LONG_SECONDS: Final = 1.0
_MILLISECONDS: Final = 1_000


class BrokenLimit(DefectKind):
    words = ("broken limit",)
    rank = 45
    headline = "A limit that is broken:"
    expectation = (
        "A limit stops the check, an answer under it is as right as any, and so are the answers after it."
    )
    is_serious = True

    def shows(
        self, target: Target, case: Case, solver: str, lab: Lab, finder: Finder, *, strictly: bool = False
    ) -> Sight:
        """Whether the limit is still broken; giving up under a limit is right."""
        sight = super().shows(target, case, solver, lab, finder, strictly=strictly)
        if sight.standing is Standing.BAD or sight.answer is None:
            return sight
        return replace(sight, standing=without_crash(sight.answer))


class LimitOracle(Oracle):
    name = "limits"
    defect = BrokenLimit()
    every = 512
    drops_unconfirmed = True

    def find(self, case: Case, lab: Lab) -> Finding | None:
        checks = [command.name for command in split_commands(case.text)[0] if command.name.startswith(_CHECK)]
        if not case.is_understood or not checks or checks[-1] != _CHECK:
            return None
        for solver in lab.solvers:
            plain = lab.ask(Request(solver, case.text, case.want))
            for limit, value in _limits(solver):
                finding = _broken(case, solver, lab, plain, limit, value, len(checks))
                if finding is None:
                    continue
                what, request = finding
                detail = f"{limit.option}: {what.partition(' (')[0]}"
                return Finding(
                    kind=self.name,
                    suspects=(solver,),
                    signature=signature.of_wrong_answer(self.name, (solver,), case, detail=detail),
                    evidence=f"{solver} {what} under :{limit.option} {value}",
                    case=case,
                    request=request,
                )
        return None


def _limits(solver: str) -> Iterator[tuple[OwnLimit, int]]:
    return ((limit, value) for limit in profile_of(solver).limits for value in limit.values)


def _broken(
    case: Case, solver: str, lab: Lab, plain: Answer, limit: OwnLimit, value: int, checks: int
) -> tuple[str, Request] | None:
    """How an answer under a limit is wrong, and the request that shows it."""
    text = until_check(case.text, checks - 1)
    word = f"{limit.option} {value}"
    if plain.ending.kind is EndingKind.TIMED_OUT or plain.cpu > _LONG_SECONDS:
        request = Request(solver, text, cold=True, limit=word)
        answer = lab.ask(request)
        if answer.cpu >= _allowed(limit, value) * checks:
            return f"is not stopped (after {answer.cpu:.1f} s of CPU time)", request
    longer = Request(solver, text + _AGAIN, cold=True)
    limited = lab.ask(replace(longer, limit=word))
    wrong = _wrong(limited, plain, checks)
    # What is wrong without a limit as well is no matter of limits.
    if not wrong or _wrong(lab.ask(longer), plain, checks):
        return None
    return wrong, replace(longer, limit=word)


def _allowed(limit: OwnLimit, value: int) -> float:
    """The CPU seconds that a check may take under a limit."""
    return max(LEAST_SECONDS, FACTOR * value / _MILLISECONDS) if limit.is_time else LEAST_SECONDS


def _wrong(limited: Answer, plain: Answer, checks: int) -> str:
    """How an answer under a limit is wrong: a crash, or the first verdict that contradicts the plain answer;
    "" if it is not.
    """
    if is_crash(limited):
        return "" if is_crash(plain) else f"{limited.ending}"
    truths = [plain.verdict_at(check) for check in range(checks)]
    again = (truths[-1], Verdict.UNSAT, truths[-1])
    for number, (verdict, truth) in enumerate(zip(limited.verdicts, (*truths, *again), strict=False)):
        if verdict.contradicts(truth):
            return f"answers {verdict} to check {number + 1} ({truth} without a limit)"
    return ""
