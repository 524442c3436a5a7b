"""Drops the assertions outside an unsat core. Guided: made for one reduction, with a source of cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from falsum.reducer.edits import Compound, Edit, ReplaceCommand
from falsum.reducer.outline import Outline
from falsum.smtlib import print_script
from falsum.smtlib.scripts import Assert, CheckSat, CheckSatAssuming, Pop, Push
from falsum.smtlib.term_names import assertions_in_core

# The unsat core of the script with this text as a solver prints it; None if there is none.
CoreOf = Callable[[str], str | None]


class KeepCore:
    """`(assert p) (assert q) (assert (not p)) (check-sat)` → `(assert p) (assert (not p)) (check-sat)`.

    All assertions outside the core are dropped at once. Scripts with push levels are left alone: there the
    last check does not see every assertion.
    """

    name = "keep-core"

    def __init__(self, core_of: CoreOf) -> None:
        self._core_of = core_of

    def edits(self, outline: Outline) -> Iterator[Edit]:
        commands = outline.script.commands
        checks = sum(isinstance(command, CheckSat | CheckSatAssuming) for command in commands)
        if checks != 1 or any(isinstance(command, Push | Pop) for command in commands):
            return
        asserts = [(place, command) for place, command in _commands(outline) if isinstance(command, Assert)]
        core = self._core_of(print_script(outline.script)) if len(asserts) > 1 else None
        if core is None:
            return
        assertions = assertions_in_core(core, [command.term for _, command in asserts])
        outside = [
            ReplaceCommand(place) for number, (place, _) in enumerate(asserts) if number not in assertions
        ]
        if outside and len(outside) < len(asserts):
            yield Compound(tuple(outside), rank=-1)


def _commands(outline: Outline) -> Iterator[tuple[int, object]]:
    return zip(outline.commands, outline.script.commands, strict=True)
