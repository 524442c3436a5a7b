"""FakeLab: a lab made of plain functions, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from falsum.errors import UsageError
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.request import Request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Reply = Answer | str


class FakeLab:
    """A lab in which each solver is a function from a script to an answer or a verdict."""

    def __init__(self, functions: Mapping[str, Callable[[str], Reply]]) -> None:
        self._functions = dict(functions)
        self.asked: list[tuple[str, str]] = []

    @property
    def solvers(self) -> tuple[str, ...]:
        return tuple(self._functions)

    def ask(self, request: Request) -> Answer:
        if request.solver not in self._functions:
            raise UsageError(f"there is no solver {request.solver!r} in this lab")
        self.asked.append((request.solver, request.script))
        limit = f"(set-option :{request.limit})\n" if request.limit else ""
        reply = self._functions[request.solver](limit + request.script)
        return reply if isinstance(reply, Answer) else Answer((Verdict(reply),), FINISHED)
