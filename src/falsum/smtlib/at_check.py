"""The declarations and assertions at each check of a script: levels, resets and assumptions are followed
here.

The result is a flat script: one without push, pop, resets and checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from falsum.smtlib.scripts import (
    DECLARATIONS,
    Assert,
    CheckSat,
    CheckSatAssuming,
    Command,
    DefineFun,
    Plain,
    Pop,
    Push,
    Script,
    SetOption,
    WithTerms,
)
from falsum.smtlib.term_names import NameResolver
from falsum.smtlib.terms import Function
from falsum.smtlib.text.command_text import CHECK_COMMANDS
from falsum.smtlib.walk import transform

_KEPT: Final = (Assert, *DECLARATIONS)
# The standard's name, and z3's.
_GLOBAL: Final = (":global-declarations", ":global-decls")


def at_each_check(script: Script, *, keep_declarations: bool = False) -> Iterator[Script]:
    """For each check in order, a flat script of what is declared and asserted then; assumptions are asserted
    last.

    Ends where no more checks matter: at `(exit)`, and at a `(reset)` after a check. With `keep_declarations`,
    declarations outlive their level whether or not the script says so.
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
    """The flat script at a check, counted from 0; None if there are fewer checks."""
    return next(islice(at_each_check(script), check, None), None)


def at_last_check(script: Script, *, keep_declarations: bool = False) -> Script | None:
    """The flat script at the last check; None if there is no check."""
    last = None
    for flat in at_each_check(script, keep_declarations=keep_declarations):
        last = flat
    return last


def is_plain(command: Command, *words: str) -> bool:
    """Whether the command is one of these and carries no terms."""
    return isinstance(command, Plain) and command.word in words


class _AssertionStack:
    """The levels of assertions, each with the commands that are removed when it is popped."""

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
            self._levels = [[kept for c in self._levels[0] for kept in self._after_reset_assertions(c)]]
        else:
            if isinstance(command, SetOption) and command.keyword in _GLOBAL:
                self._is_global = self._always_global or command.value == "true"
            self.add(command)

    def _pop(self, levels: int) -> None:
        for _ in range(min(levels, len(self._levels) - 1)):
            popped = self._levels.pop()
            if self._is_global:
                self._levels[-1].extend(d for command in popped for d in _declarations(command))

    def _after_reset_assertions(self, command: Command) -> Iterable[Command]:
        """What stays of a command of the first level."""
        if isinstance(command, _KEPT):
            return _declarations(command) if self._is_global else ()
        return (command,)


def _declarations(command: Command) -> Iterator[Command]:
    """The names that a command declares or defines; an assertion defines the names given to terms in it."""
    if isinstance(command, DECLARATIONS):
        yield command
    elif isinstance(command, Assert):
        resolver = NameResolver()
        transform(command.term, resolver.change)
        for name, term in resolver.terms.items():
            yield DefineFun(Function(name, (), term.sort, role="named"), (), term)


def is_check(command: Command) -> bool:
    """Whether a solver answers the command with a verdict."""
    if isinstance(command, CheckSat | CheckSatAssuming):
        return True
    return isinstance(command, Plain | WithTerms) and command.word in CHECK_COMMANDS
