"""Prepares a seed for mutation: with a logic that mutants do not leave, and all declarations in front."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import Final

from falsum.smtlib.at_check import is_check, is_plain
from falsum.smtlib.logics import logic_of
from falsum.smtlib.printing.printer import print_command
from falsum.smtlib.scripts import (
    Command,
    DeclareDatatypes,
    DeclareFun,
    DeclareSort,
    DefineSort,
    Script,
    SetInfo,
    SetLogic,
    SetOption,
)
from falsum.strategies.seeds.declarations import with_unique_names

_GLOBAL: Final = SetOption(":global-declarations", "true")
PREAMBLE: Final = (SetLogic, SetInfo, SetOption)
_DECLARATIONS: Final = (DeclareSort, DefineSort, DeclareFun, DeclareDatatypes)
# The commands that stand in front of all others in a prepared script.
FRONT: Final = (*PREAMBLE, *_DECLARATIONS)


def prepare(script: Script) -> Script | None:
    """The script with its declarations first, so that any expression may be used in any assertion.

    Difference logic becomes linear logic, and `:status` is dropped, since it may not hold for mutants. So is
    everything that a reset separates from the last checks. None if declarations cannot be moved because a
    name is defined twice.
    """
    unique = with_unique_names(Script(_between_resets(script.commands)))
    if unique is None:
        return None
    commands = [c for c in map(_widened, unique.commands) if not _is_status(c)]
    if any(is_plain(c, "reset-assertions") for c in commands):
        # Declarations in front must survive.
        commands = [_GLOBAL, *(c for c in commands if not _is_option(c, _GLOBAL.keyword))]
    first = next((i for i, c in enumerate(commands) if not isinstance(c, PREAMBLE)), len(commands))
    declarations = [c for c in commands if isinstance(c, _DECLARATIONS)]
    rest = [c for c in commands[first:] if not isinstance(c, _DECLARATIONS)]
    return Script((*commands[:first], *declarations, *rest))


def _between_resets(commands: tuple[Command, ...]) -> tuple[Command, ...]:
    """The commands up to the first reset after a check, without those before an earlier reset."""
    start, has_check = 0, False
    for place, command in enumerate(commands):
        if is_plain(command, "reset"):
            if has_check:
                return commands[start:place]
            start = place + 1
        has_check = has_check or is_check(command)
    return commands[start:]


def front_length(script: Script) -> int:
    """The length of the text of a prepared script up to the end of its declarations."""
    front = takewhile(lambda command: isinstance(command, FRONT), script.commands)
    return sum(len(print_command(command)) + 1 for command in front)


def _widened(command: Command) -> Command:
    """Almost every mutation of a difference constraint leaves difference logic."""
    if isinstance(command, SetLogic):
        return replace(command, name=logic_of(command.name).widened)
    return command


def _is_option(command: Command, keyword: str) -> bool:
    return isinstance(command, SetOption) and command.keyword == keyword


def _is_status(command: Command) -> bool:
    return isinstance(command, SetInfo) and command.keyword == ":status"
