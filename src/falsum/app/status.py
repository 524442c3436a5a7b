"""The `:status` annotations of a script: `(set-info :status sat)` is about the check that follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from falsum.smtlib import Script
from falsum.smtlib.at_check import is_check
from falsum.smtlib.scripts import EXIT, SetInfo
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import Answer

_STATUS: Final = ":status"


@dataclass(frozen=True, slots=True)
class RefutedStatus:
    """A status that every solver that decides contradicts; checks are counted from 1."""

    check: int
    status: str
    verdict: Verdict
    solvers: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"the script says that check {self.check} is {self.status}, but all solvers that decide answer "
            f"{self.verdict}: {', '.join(self.solvers)}"
        )


def refuted(script: Script, answers: Mapping[str, Answer]) -> list[RefutedStatus]:
    """The statuses of a script that every solver that decides contradicts."""
    statuses = []
    for check, status in enumerate(_statuses(script)):
        verdicts = {
            solver: answer.verdicts[check]
            for solver, answer in answers.items()
            if check < len(answer.verdicts) and answer.verdicts[check].decided
        }
        if status in (Verdict.SAT, Verdict.UNSAT) and verdicts and status not in verdicts.values():
            statuses.append(RefutedStatus(check + 1, status, next(iter(verdicts.values())), tuple(verdicts)))
    return statuses


def _statuses(script: Script) -> Iterator[str]:
    """The status annotated for each check, or ""."""
    status = ""
    for command in script.commands:
        if command == EXIT:
            return
        if isinstance(command, SetInfo) and command.keyword == _STATUS:
            status = command.value
        elif is_check(command):
            yield status
            status = ""
