"""Drops the assertions outside an unsat core. Guided: made for one reduction, with a source of cores."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from falsum.reducer.edits import Compound, Edit, ReplaceCommand
from falsum.reducer.outline import Outline
from falsum.smtlib import print_script
from falsum.smtlib.scripts import Assert, CheckSat, CheckSatAssuming, Pop, Push
from falsum.smtlib.terms import Annotated

# The unsat core of the script with this text as a solver prints it; None if there is none.
CoreOf = Callable[[str], str | None]

_NAME: Final = re.compile(r"\|[^|]*\||[^\s()]+")


class KeepCore:
    """`(assert p) (assert q) (assert (not p)) (check-sat)` → `(assert p) (assert (not p)) (check-sat)`.

    All assertions outside the core are dropped at once. The core names assertions by their number
    (`falsum!1`, …) or by their own name. Scripts with push levels are left alone: there the last check does
    not see every assertion.
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
        named = set(_NAME.findall(core))
        outside = [
            ReplaceCommand(place)
            for number, (place, command) in enumerate(asserts, 1)
            if f"falsum!{number}" not in named and _own_name(command) not in named
        ]
        if outside and len(outside) < len(asserts):
            yield Compound(tuple(outside), rank=-1)


def _commands(outline: Outline) -> Iterator[tuple[int, object]]:
    return zip(outline.commands, outline.script.commands, strict=True)


def _own_name(command: Assert) -> str:
    term = command.term
    if not isinstance(term, Annotated):
        return ""
    return next((str(a.value) for a in term.attributes if a.keyword == ":named"), "")
