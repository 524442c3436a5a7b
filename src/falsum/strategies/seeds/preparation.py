"""Prepares a seed for mutation: a logic that mutants do not leave, and all declarations in front."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import Final

from falsum.smtlib.logics import logic_of
from falsum.smtlib.printing.printer import print_command
from falsum.smtlib.scripts import (
    Command,
    DeclareDatatypes,
    DeclareFun,
    DeclareSort,
    DefineFun,
    DefineSort,
    Plain,
    Script,
    SetInfo,
    SetLogic,
    SetOption,
)

_RESETS: Final = frozenset({"reset", "reset-assertions"})
_PREAMBLE: Final = (SetLogic, SetInfo, SetOption)
_DECLARATIONS: Final = (DeclareSort, DefineSort, DeclareFun, DeclareDatatypes)
# The commands that stand in front of all others in a prepared script.
FRONT: Final = (*_PREAMBLE, *_DECLARATIONS)


def prepare(script: Script) -> Script | None:
    """The script with its declarations first, so that any expression may be used in any assertion.

    Difference logic becomes linear logic, and `:status` is dropped, since it may not hold for mutants. None
    if declarations cannot be moved: a name is declared or defined twice, or there is a reset.
    """
    commands = [c for c in map(_widened, script.commands) if not _is_status(c)]
    names = [c.function.name for c in commands if isinstance(c, DeclareFun | DefineFun)]
    if len(set(names)) < len(names) or any(isinstance(c, Plain) and c.word in _RESETS for c in commands):
        return None
    first = next((i for i, c in enumerate(commands) if not isinstance(c, _PREAMBLE)), len(commands))
    declared = [c for c in commands if isinstance(c, _DECLARATIONS)]
    rest = [c for c in commands[first:] if not isinstance(c, _DECLARATIONS)]
    return Script((*commands[:first], *declared, *rest))


def front_length(script: Script) -> int:
    """The length of the text of a prepared script up to the end of its declarations."""
    front = takewhile(lambda command: isinstance(command, FRONT), script.commands)
    return sum(len(print_command(command)) + 1 for command in front)


def _widened(command: Command) -> Command:
    """Almost every mutation of a difference constraint leaves difference logic."""
    if isinstance(command, SetLogic) and logic_of(command.name).is_difference:
        return replace(command, name=logic_of(command.name).widened)
    return command


def _is_status(command: Command) -> bool:
    return isinstance(command, SetInfo) and command.keyword == ":status"
