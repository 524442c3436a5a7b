"""Every exception falsum raises on purpose.

FalsumError
├── ScriptError        a script (or operator file, or model) that cannot be read; knows its place
├── SortError          arguments an operator does not take
├── UsageError         the caller asked for something that makes no sense (exit code 2)
└── SurroundingsError  the machine lacks something: no solver, unreadable directory (exit code 3)
    ├── AccidentError  somebody ended a process of falsum; its work can be repeated
    └── ShortageError  it lacks something that may come back: space on a disk, file descriptors
"""

from __future__ import annotations

import errno
import os
from typing import Final


class FalsumError(Exception):
    """The root of the tree; never raised itself."""


class ScriptError(FalsumError):
    """Text that cannot be read or sorted; `line` and `column` count from one."""

    def __init__(self, message: str, line: int, column: int, file: str = "") -> None:
        self.message = message
        self.line = line
        self.column = column
        self.file = file
        super().__init__(message, line, column, file)

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}: {self.message}"
        return f"{self.file}:{place}" if self.file else place


class UsageError(FalsumError):
    """The caller asked for something that makes no sense."""


class SurroundingsError(FalsumError):
    """The machine lacks something falsum needs."""


class AccidentError(SurroundingsError):
    """Somebody ended a process of falsum; its work can be repeated."""


class ShortageError(SurroundingsError):
    """The machine has run out of something that may come back: disk space, file descriptors, processes."""


_SHORTAGES: Final = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOLCK, errno.ENOMEM}
)


def shortage_in(error: BaseException) -> str:
    """What the machine has run out of, if that caused the exception; otherwise ""."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ShortageError):
            return str(cause)
        if isinstance(cause, OSError) and cause.errno in _SHORTAGES:
            place = f": {cause.filename}" if cause.filename else ""
            return f"{os.strerror(cause.errno)}{place}"
        cause = cause.__cause__
    return ""


def is_accident(error: BaseException) -> bool:
    """Whether the exception only means that somebody ended a process of falsum."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, AccidentError):
            return True
        cause = cause.__cause__
    return False


class SortError(FalsumError):
    """Arguments an operator does not take; the reader turns it into a ScriptError with a place."""

    def __init__(self, operator: str, got: tuple[str, ...], wants: str) -> None:
        self.operator = operator
        self.got = got
        self.wants = wants
        super().__init__(operator, got, wants)

    def __str__(self) -> str:
        got = " ".join(self.got) or "nothing"
        return f"{self.operator} cannot take ({got}); it expects {self.wants}"
