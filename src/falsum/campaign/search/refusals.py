"""Refusals: which solvers reject every script of a logic, so that they are hardly asked any more."""

from __future__ import annotations

import re
from typing import Final

from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.names import profile_of

_LOGIC: Final = re.compile(r"\(\s*set-logic\s+([A-Za-z_0-9+]+)\s*\)")
# Solvers without tactics reject it.
_TACTIC: Final = "(check-sat-using "
# After so many rejections in a row, one request in so many is made, to see whether it is still so.
_MAX_REJECTIONS: Final = 8
_RETRIED: Final = 32


class Refusals:
    """What solvers did with scripts of each logic."""

    def __init__(self) -> None:
        # By solver and logic: rejections in a row, and requests that were left out since.
        self._rejected: dict[tuple[str, str], int] = {}
        self._left_out: dict[tuple[str, str], int] = {}

    def expects_rejection(self, solver: str, script: str) -> bool:
        """Whether a solver can be skipped for a script, because it would reject it."""
        if _TACTIC in script and not profile_of(solver).tactics:
            return True
        key = solver, logic_in(script)
        if self._rejected.get(key, 0) < _MAX_REJECTIONS:
            return False
        self._left_out[key] = self._left_out.get(key, 0) + 1
        return self._left_out[key] % _RETRIED != 0

    def learn(self, solver: str, script: str, answer: Answer) -> None:
        key = solver, logic_in(script)
        if answer.ending.kind is EndingKind.REJECTED and answer.is_silent:
            self._rejected[key] = self._rejected.get(key, 0) + 1
        else:
            self._rejected[key] = 0


def logic_in(script: str) -> str:
    """The logic that a script sets; "" if it sets none."""
    match = _LOGIC.search(script)
    return match[1] if match else ""
