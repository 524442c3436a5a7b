"""Drops commands: options, information, queries and checks; and assertions."""

from __future__ import annotations

from collections.abc import Iterator

from falsum.reducer.edits import Edit, ReplaceCommand
from falsum.reducer.outline import Outline
from falsum.smtlib.maps.command_terms import INTRODUCING
from falsum.smtlib.scripts import Assert, CheckSat, CheckSatAssuming, Pop, Push, SetLogic


class DropCommands:
    """`(set-info :status sat) (assert p) (check-sat) (get-model)` → `(assert p) (check-sat)`.

    Checks come after everything else. `(check-sat-assuming …)` may also become `(check-sat)`. Assertions,
    push levels, the logic and declarations have passes of their own.
    """

    name = "drop-commands"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        for place, command in zip(outline.commands, outline.script.commands, strict=True):
            if isinstance(command, (Assert, Push, Pop, SetLogic, *INTRODUCING)):
                continue
            is_check = isinstance(command, CheckSat | CheckSatAssuming)
            yield ReplaceCommand(place, (), rank=int(is_check))
            if isinstance(command, CheckSatAssuming):
                yield ReplaceCommand(place, (CheckSat(),), rank=2)


class DropAssertions:
    """`(assert p) (assert q) (check-sat)` → `(assert q) (check-sat)`."""

    name = "drop-assertions"

    def edits(self, outline: Outline) -> Iterator[Edit]:
        for place, command in zip(outline.commands, outline.script.commands, strict=True):
            if isinstance(command, Assert):
                yield ReplaceCommand(place)
