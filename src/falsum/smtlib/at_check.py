"""What is declared and asserted at each check of a script: levels, resets and assumptions are followed here.

The result is a flat script: one without push, pop, resets and checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from falsum.smtlib.scripts import (
    DECLARATIONS,
    Assert,
    CheckSat,
    CheckSatAssuming,
    Command,
    Plain,
    Pop,
    Push,
    Script,
    SetOption,
    WithTerms,
)
from falsum.smtlib.text.command_text import CHECK_COMMANDS

_KEPT: Final = (Assert, *DECLARATIONS)


def at_each_check(script: Script, *, keep_declarations: bool = False) -> Iterator[Script]:
    """For each check in order, a flat script of what is in force then; assumptions are asserted last.

    Ends where solvers are no longer asked: at `(exit)`, and at a `(reset)` that follows a check. With
    `keep_declarations`, declarations outlive their level whether or not the script says so.
    """
    stack = _AssertionStack(keep_declarations=keep_declarations)
    checked = False
    for command in script.commands:
        if isinstance(command, _KEPT):  # most commands, so they come first
            stack.add(command)
        elif is_check(command):
            checked = True
            assumptions = command.terms if isinstance(command, CheckSatAssuming) else ()
            yield Script((*stack.commands(), *map(Assert, assumptions)))
        elif is_plain(command, "exit") or (checked and is_plain(command, "reset")):
            return
        else:
            stack.follow(command)


def at_check(script: Script, check: int) -> Script | None:
    """What is in force at a check, counted from 0; None if there are fewer."""
    return next(islice(at_each_check(script), check, None), None)


def at_last_check(script: Script, *, keep_declarations: bool = False) -> Script | None:
    """What is in force at the last check; None if there is none."""
    last = None
    for flat in at_each_check(script, keep_declarations=keep_declarations):
        last = flat
    return last


def is_plain(command: Command, *words: str) -> bool:
    """Whether the command is one of these and carries no terms."""
    return isinstance(command, Plain) and command.word in words


class _AssertionStack:
    """The levels of assertions, each with the commands that are gone when it is popped."""

    def __init__(self, *, keep_declarations: bool) -> None:
        self._levels: list[list[Command]] = [[]]
        self._always_global = keep_declarations
        self._is_global = keep_declarations

    def commands(self) -> Iterator[Command]:
        return (command for level in self._levels for command in level)

    def add(self, command: Command) -> None:
        self._levels[-1].append(command)

    def follow(self, command: Command) -> None:
        if isinstance(command, Push):
            self._levels.extend([] for _ in range(command.levels))
        elif isinstance(command, Pop):
            self._pop(command.levels)
        elif is_plain(command, "reset"):
            self._levels = [[]]
        elif is_plain(command, "reset-assertions"):
            self._pop(len(self._levels) - 1)
            self._levels = [[c for c in self._levels[0] if self._survives_reset_assertions(c)]]
        else:
            if isinstance(command, SetOption) and command.keyword == ":global-declarations":
                self._is_global = self._always_global or command.value == "true"
            self.add(command)

    def _pop(self, levels: int) -> None:
        for _ in range(min(levels, len(self._levels) - 1)):
            popped = self._levels.pop()
            if self._is_global:
                self._levels[-1].extend(c for c in popped if isinstance(c, DECLARATIONS))

    def _survives_reset_assertions(self, command: Command) -> bool:
        if isinstance(command, DECLARATIONS):
            return self._is_global
        return not isinstance(command, Assert)


def is_check(command: Command) -> bool:
    """Whether a solver answers the command with a verdict."""
    if isinstance(command, CheckSat | CheckSatAssuming):
        return True
    return isinstance(command, Plain | WithTerms) and command.word in CHECK_COMMANDS
