"""Every exception falsum raises on purpose.

FalsumError
├── ScriptError        a script (or operator file, or model) that cannot be read; knows its place
├── SortError          arguments an operator does not take
├── UsageError         the caller asked for something that makes no sense (exit code 2)
└── SurroundingsError  the machine lacks something: no solver, unreadable directory (exit code 3)
"""

from __future__ import annotations


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
