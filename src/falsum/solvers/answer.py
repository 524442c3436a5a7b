"""Answer: the answer of a solver, and how its process ended, as two facts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from falsum.smtlib.verdict import Verdict

if TYPE_CHECKING:
    from falsum.solvers.request import Request


class EndingKind(StrEnum):
    FINISHED = "finished"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    CRASHED = "crashed"
    REJECTED = "rejected"
    FLOODED = "flooded"
    ODD = "ended oddly"  # with a status or by a signal that says nothing about the program


class Cause(StrEnum):
    """Why a run ended as it did; the last three are causes of rejections."""

    NONE = ""
    SIGNAL = "signal"
    ASSERTION = "assertion"
    SANITIZER = "sanitizer"
    INTERNAL = "internal error"
    SELF_CHECK = "self-check"  # the solver itself finds its model, core or proof wrong
    EXIT = "exit status"
    UNSUPPORTED = "unsupported"
    SYNTAX = "syntax"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a process ended; `detail` is one line of evidence for reports and signatures."""

    kind: EndingKind
    cause: Cause = Cause.NONE
    detail: str = ""

    @property
    def message(self) -> str:
        """Cause and detail, for a crash."""
        return f"{self.cause}: {self.detail}" if self.detail else str(self.cause)

    def __str__(self) -> str:
        if self.cause is Cause.NONE:
            return str(self.kind)
        return f"{self.kind} ({self.cause}: {self.detail})" if self.detail else f"{self.kind} ({self.cause})"


FINISHED = Ending(EndingKind.FINISHED)
# Causes that say what went wrong but not where.
PLACELESS = frozenset({Cause.SIGNAL, Cause.EXIT})


@dataclass(frozen=True, slots=True)
class Answer:
    """A solver's answer to one script.

    `verdicts` has one entry for every check: *missing* for those without an answer, and for those after the
    first error, which are void. It is empty if there was no check. `model` and `core` are those of the last
    check, `printed` is the output after each check. `seconds` is wall time, `cpu` the solver's CPU seconds,
    `statistics` those that a warm solver printed, if requested.
    """

    verdicts: tuple[Verdict, ...]
    ending: Ending
    model: str | None = None
    core: str | None = None
    stdout: str = ""
    stderr: str = ""
    seconds: float = 0.0
    cpu: float = 0.0
    statistics: str = ""
    printed: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict | None:
        """The answer to the last check, if there is one."""
        last = self.verdict_at(len(self.verdicts) - 1)
        return None if last is Verdict.MISSING else last

    def verdict_at(self, check: int) -> Verdict:
        """The answer to a check, from 0; *missing* if there is no such check."""
        return self.verdicts[check] if 0 <= check < len(self.verdicts) else Verdict.MISSING

    @property
    def is_silent(self) -> bool:
        """Whether no check has an answer."""
        return all(verdict is Verdict.MISSING for verdict in self.verdicts)

    @property
    def words(self) -> tuple[str, ...]:
        """The answers to all checks in words; empty if there are none."""
        return () if self.is_silent else tuple(map(str, self.verdicts))

    @property
    def finished(self) -> bool:
        return self.ending.kind is EndingKind.FINISHED

    @property
    def is_complete(self) -> bool:
        """Whether the solver ended by itself in an orderly way: it answered, or rejected the script."""
        return self.ending.kind in {EndingKind.FINISHED, EndingKind.REJECTED}

    @property
    def crashed(self) -> bool:
        return self.ending.kind is EndingKind.CRASHED

    def plain(self) -> dict[str, Any]:
        """The answer as JSON data."""
        return {
            "verdicts": list(self.words),
            "checks": len(self.verdicts),
            "ending": str(self.ending.kind),
            "cause": str(self.ending.cause),
            "detail": self.ending.detail,
            "model": self.model,
            "core": self.core,
            "seconds": round(self.seconds, 4),
            "cpu": round(self.cpu, 4),
        }


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its answer.

    `posed` is the text the solver was given (in its dialect, with requests for models), `command` the command
    line without the file; both are filled in by callers who know the programs.
    """

    request: Request
    answer: Answer
    posed: str = ""
    command: tuple[str, ...] = ()
    version: str = ""
