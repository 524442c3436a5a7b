"""The right verdicts of scripts that crash a release or get a wrong model from it: tests need them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from bench.atlas.examine import JURY
from bench.experiment import Experiment, Unit
from msgspec import structs

from falsum.atlas.bug import WRONG_VERDICTS, AtlasBug
from falsum.audits.evidence import confirm_check
from falsum.errors import FalsumError
from falsum.smtlib import read_script
from falsum.smtlib.scripts import CheckSat, CheckSatAssuming
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

_LIMITS: Final = Limits(seconds=20.0, cpu=2.0)


def with_verdicts(bugs: Iterable[AtlasBug], directory: Path) -> list[AtlasBug]:
    """The bugs, with the right verdict as what is expected, where there is evidence for one."""
    experiment = Experiment(directory, "verdicts")
    made = []
    for bug in bugs:
        if bug.kind not in WRONG_VERDICTS and bug.expected not in {"sat", "unsat"}:
            [record] = experiment.run([{"script": bug.script}], _measure)
            made.append(structs.replace(bug, expected=record.result["verdict"] or bug.expected))
        else:
            made.append(bug)
    return made


def _measure(unit: Unit) -> dict[str, Any]:
    try:
        return {"verdict": _right_verdict(unit["script"])}
    except FalsumError as error:
        return {"verdict": "", "left_out": str(error)}


def _right_verdict(script: str) -> str:
    """The verdict that newest releases give and that is confirmed; "" if there is none, or several checks."""
    commands = read_script(script).commands
    if sum(isinstance(command, CheckSat | CheckSatAssuming) for command in commands) != 1:
        return ""
    zoo = Zoo()
    solvers = [resolve(name, zoo) for name in JURY]
    with LiveLab(solvers, _LIMITS) as lab:
        answers = [lab.ask(Request(name, script, cold=True)) for name in JURY]
        verdicts = {verdict for answer in answers if answer.finished for verdict in answer.verdicts}
        decided = [verdict for verdict in verdicts if verdict.decided]
        if len(decided) != 1:
            return ""
        confirmation = confirm_check(script, 0, decided[0], lab)
    return str(decided[0]) if confirmation.evidence else ""
