"""The status of a seed: what solvers agree on, check by check."""

from __future__ import annotations

from falsum.smtlib.scripts import CheckSat, CheckSatAssuming, Script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request

# So many solvers that decide a script are enough.
_ENOUGH = 2


def checks_of(script: Script) -> int:
    return sum(isinstance(command, CheckSat | CheckSatAssuming) for command in script.commands)


def agreed(text: str, checks: int, lab: Lab | None) -> tuple[Verdict | None, ...]:
    """The verdict of every check, by two solvers where two decide it, by one otherwise; None if nobody
    does or if they contradict each other. The lab remembers, so asking again costs nothing.
    """
    found: list[Verdict | None] = [None] * checks
    contradicted: set[int] = set()
    deciding = 0
    for solver in lab.solvers if lab is not None and checks else ():
        assert lab is not None
        said = lab.ask(Request(solver, text)).verdicts
        for check, verdict in enumerate(said[:checks]):
            known = found[check]
            if known is not None and verdict.contradicts(known):
                contradicted.add(check)
            elif verdict.decided:
                found[check] = verdict
        deciding += len(said) >= checks and all(verdict.decided for verdict in said)
        if deciding == _ENOUGH:
            break
    return tuple(None if check in contradicted else verdict for check, verdict in enumerate(found))
