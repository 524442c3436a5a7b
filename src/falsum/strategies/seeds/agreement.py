"""The verdicts on which the solvers of a lab agree."""

from __future__ import annotations

from falsum.smtlib.at_check import is_check
from falsum.smtlib.scripts import Script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request

# Solvers that decide every check; further ones are not asked.
_ENOUGH_SOLVERS = 2


def count_checks(script: Script) -> int:
    return sum(map(is_check, script.commands))


def agreed_verdicts(text: str, checks: int, lab: Lab | None) -> tuple[Verdict | None, ...]:
    """The verdict of every check, by two solvers where two decide it, else by one.

    None for a check that no solver decides, or on which solvers contradict each other. The lab caches
    answers, so asking again costs nothing.
    """
    found: list[Verdict | None] = [None] * checks
    contradicted: set[int] = set()
    deciding = 0
    for solver in lab.solvers if lab is not None and checks else ():
        assert lab is not None
        answered = lab.ask(Request(solver, text)).verdicts
        for check, verdict in enumerate(answered[:checks]):
            known = found[check]
            if known is not None and verdict.contradicts(known):
                contradicted.add(check)
            elif verdict.decided:
                found[check] = verdict
        deciding += len(answered) >= checks and all(verdict.decided for verdict in answered)
        if deciding == _ENOUGH_SOLVERS:
            break
    return tuple(None if check in contradicted else verdict for check, verdict in enumerate(found))
