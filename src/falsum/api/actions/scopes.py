"""Levels of assertions: push, pop, reset, reset-assertions."""

# ruff: noqa: ARG002 - all of them have one shape
from __future__ import annotations

from random import Random

from falsum.api.actions.action import Call, number
from falsum.api.model.mirror import Mirror
from falsum.api.traces.trace import Line, Reply
from falsum.errors import UsageError


class Push(Call):
    name = word = "push"
    takes = 1

    def ready(self, mirror: Mirror) -> bool:
        return mirror.has("incremental") and len(mirror.levels) <= mirror.bounds.levels

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return Line(self.word, (str(rng.choice((1, 1, 1, 2))),))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        mirror.levels.extend([] for _ in range(number(line.args[0])))
        mirror.changed()


class Pop(Call):
    name = word = "pop"
    takes = 1

    def ready(self, mirror: Mirror) -> bool:
        return len(mirror.levels) > 1

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return Line(self.word, (str(rng.randint(1, len(mirror.levels) - 1)),))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        levels = number(line.args[0])
        if not 0 < levels < len(mirror.levels):
            raise UsageError("there are not so many levels")
        del mirror.levels[-levels:]
        mirror.changed()


class Reset(Call):
    """Options go back to their defaults, assertions away; sorts and terms belong to the library and stay."""

    name = word = "reset"

    def ready(self, mirror: Mirror) -> bool:
        return mirror.has("reset")

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        mirror.options.clear()
        mirror.logic = ""
        mirror.levels = [[]]
        mirror.changed()


class ResetAssertions(Call):
    name = word = "reset-assertions"

    def ready(self, mirror: Mirror) -> bool:
        return mirror.has("reset-assertions")

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        mirror.levels = [[]]
        mirror.changed()
