"""What holds at each check of a script: incremental scripts laid flat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from falsum.smtlib import Script
from falsum.smtlib.scripts import (
    Assert,
    CheckSat,
    CheckSatAssuming,
    Command,
    DeclareDatatypes,
    DeclareFun,
    DeclareSort,
    DefineFun,
    DefineFunsRec,
    DefineSort,
    Plain,
    Pop,
    Push,
    SetOption,
    WithTerms,
)
from falsum.solvers.defuse import split

_CHECKS: Final = frozenset({"check-sat", "check-sat-assuming", "check-sat-using"})
_DECLARATIONS: Final = (DeclareSort, DefineSort, DeclareFun, DefineFun, DefineFunsRec, DeclareDatatypes)


def at_each_check(script: Script) -> Iterator[Script]:
    """For each check in order, a script of what is declared and asserted then, assumptions included.

    Follows what solvers are asked: nothing after `(exit)`, nothing from before or after a `(reset)`.
    """
    stack: list[list[Command]] = [[]]
    keeps = False  # :global-declarations
    checked = False
    for command in script.commands:
        if isinstance(command, Push):
            stack.extend([] for _ in range(command.levels))
        elif isinstance(command, Pop):
            _pop(stack, command.levels, keeps=keeps)
        elif isinstance(command, Plain) and command.word in {"exit", "reset"}:
            if checked or command.word == "exit":
                return
            stack = [[]]
        elif isinstance(command, Plain) and command.word == "reset-assertions":
            _pop(stack, len(stack) - 1, keeps=keeps)
            stack = [[c for c in stack[0] if _survives_reset_assertions(c, keeps=keeps)]]
        elif (check := _assumed(command)) is not None:
            checked = True
            yield Script((*(c for level in stack for c in level), *check))
        else:
            if isinstance(command, SetOption) and command.keyword == ":global-declarations":
                keeps = command.value == "true"
            stack[-1].append(command)


def until_check(text: str, number: int) -> str:
    """The text of a script up to its check with this number, counted from 0."""
    pieces, _balanced = split(text)
    seen = -1
    for place, piece in enumerate(pieces):
        seen += piece.name in _CHECKS
        if seen == number:
            return "".join(each.text for each in pieces[: place + 1])
    return text


def _pop(stack: list[list[Command]], levels: int, *, keeps: bool) -> None:
    for _ in range(min(levels, len(stack) - 1)):
        gone = stack.pop()
        if keeps:
            stack[-1].extend(c for c in gone if isinstance(c, _DECLARATIONS))


def _survives_reset_assertions(command: Command, *, keeps: bool) -> bool:
    if isinstance(command, _DECLARATIONS):
        return keeps
    return not isinstance(command, Assert)


def _assumed(command: Command) -> tuple[Assert, ...] | None:
    """What a check assumes for itself; None if the command is no check."""
    if isinstance(command, CheckSat):
        return ()
    if isinstance(command, CheckSatAssuming):
        return tuple(Assert(term) for term in command.terms)
    if isinstance(command, Plain | WithTerms) and command.word == "check-sat-using":
        return ()
    return None
