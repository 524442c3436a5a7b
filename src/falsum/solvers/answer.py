"""Answer: what a solver answered, and how its process ended, as two facts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from falsum.smtlib.verdict import Verdict
    from falsum.solvers.request import Request


class EndingKind(StrEnum):
    FINISHED = "finished"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    CRASHED = "crashed"
    REJECTED = "rejected"
    FLOODED = "flooded"


class Cause(StrEnum):
    """Why a run ended as it did: the first six are causes of crashes, the rest of rejections."""

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

    `verdicts` has one entry for every check the solver answered, up to the first error; what follows an error
    is void. `model` and `core` are the texts of the last ones given. `seconds` is wall time, `cpu` the
    solver's CPU seconds, `statistics` what a warm solver printed of its own, if it was asked.
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

    @property
    def verdict(self) -> Verdict | None:
        """The last verdict, if there is one."""
        return self.verdicts[-1] if self.verdicts else None

    @property
    def finished(self) -> bool:
        return self.ending.kind is EndingKind.FINISHED

    @property
    def is_complete(self) -> bool:
        """Whether the solver ended by itself and in an orderly way: it answered, or rejected the script."""
        return self.ending.kind in {EndingKind.FINISHED, EndingKind.REJECTED}

    @property
    def crashed(self) -> bool:
        return self.ending.kind is EndingKind.CRASHED

    def plain(self) -> dict[str, Any]:
        """The answer as JSON data."""
        return {
            "verdicts": [str(verdict) for verdict in self.verdicts],
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
