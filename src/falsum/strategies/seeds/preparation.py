"""Prepares a seed for mutation: a logic its mutants keep to, declarations in front of everything else."""

from __future__ import annotations

from dataclasses import replace

from falsum.smtlib.logics import logic_of
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

_RESETS = frozenset({"reset", "reset-assertions"})
_PREAMBLE = (SetLogic, SetInfo, SetOption)
_DECLARATIONS = (DeclareSort, DefineSort, DeclareFun, DeclareDatatypes)


def prepared(script: Script) -> Script | None:
    """The script with a logic that its mutants keep to, and without its status, which may not be theirs.

    Declarations come first, so that any expression may stand in any assertion. None if that cannot be: a name
    is declared or defined twice, in different push levels, or forgotten at a reset.
    """
    commands = [c for c in map(_widened, script.commands) if not _is_status(c)]
    names = [c.function.name for c in commands if isinstance(c, DeclareFun | DefineFun)]
    if len(set(names)) < len(names) or any(isinstance(c, Plain) and c.word in _RESETS for c in commands):
        return None
    first = next((i for i, c in enumerate(commands) if not isinstance(c, _PREAMBLE)), len(commands))
    declared = [c for c in commands if isinstance(c, _DECLARATIONS)]
    rest = [c for c in commands[first:] if not isinstance(c, _DECLARATIONS)]
    return Script((*commands[:first], *declared, *rest))


def _widened(command: Command) -> Command:
    """Difference logic is left as soon as anything is changed."""
    if isinstance(command, SetLogic) and logic_of(command.name).is_difference:
        return replace(command, name=logic_of(command.name).widened)
    return command


def _is_status(command: Command) -> bool:
    return isinstance(command, SetInfo) and command.keyword == ":status"
