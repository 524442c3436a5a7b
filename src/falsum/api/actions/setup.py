"""A solver comes and goes: new, delete, logic, options."""

# ruff: noqa: ARG002 - all of them have one shape
from __future__ import annotations

import re
from random import Random
from typing import Final

from falsum.api.actions.action import Call
from falsum.api.model.mirror import Mirror
from falsum.api.traces.trace import Line, Reply
from falsum.errors import UsageError
from falsum.smtlib.logics import smallest_logic
from falsum.solvers.options import DrawRules, draw

_MOST_OPTIONS: Final = 3
# What is drawable has been sorted out before.
_ONE: Final = DrawRules(most=1, never=re.compile(r"(?!)"))


class New(Call):
    """The number is for a binding that can make its solver in several ways."""

    name = word = "new"

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return Line(self.word, number=rng.randrange(1, 100))


class Delete(Call):
    name = word = "delete"


class SetLogic(Call):
    name = word = "set-logic"
    takes = 1

    def ready(self, mirror: Mirror) -> bool:
        return mirror.has("logic")

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        if "higher-order" in mirror.theories:
            return Line(self.word, ("HO_ALL",))
        return Line(self.word, (rng.choice(("ALL", _logic_of(mirror))),))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        mirror.logic = line.args[0]


def _logic_of(mirror: Mirror) -> str:
    """The narrowest logic that has the theories of the run, or ALL."""
    theories = set(mirror.theories) - {"core", "quantifiers"}
    # Calls of other theories leave the logics that solvers know by a shorter name.
    if not theories <= {"arrays", "uf", "bitvectors", "floats"}:
        return "ALL"
    return smallest_logic(theories, has_quantifiers="quantifiers" in mirror.theories)


class RequireOptions(Call):
    """One option every run needs (models, cores), again and again until all are set."""

    name = "require-options"
    word = "set-option"
    applies = False

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        missing = [(n, v) for n, v in mirror.capabilities.required_options if n not in mirror.options]
        return Line("set-option", missing[0], number=rng.randrange(1, 100)) if missing else None


class SetOption(Call):
    """An option as the product lists it, never one its developers do not want drawn."""

    name = word = "set-option"
    takes = 2

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        required = {name for name, _ in mirror.capabilities.required_options}
        if not mirror.drawable or len(set(mirror.options) - required) >= _MOST_OPTIONS:
            return None
        option = rng.choice(mirror.drawable)
        drawn = draw((option,), _ONE, rng) if option.name not in mirror.options else ()
        return Line(self.word, drawn[0], number=rng.randrange(1, 100)) if drawn else None

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        if len(line.args) != 2:
            raise UsageError("set-option takes a name and a value")
        mirror.options[line.args[0]] = line.args[1]
