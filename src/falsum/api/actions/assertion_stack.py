"""The actions on the assertion stack: push, pop, reset, reset-assertions."""

# ruff: noqa: ARG002 - actions share a signature
from __future__ import annotations

from random import Random

from falsum.api.actions.action import SimpleAction, read_number
from falsum.api.model.mirror import Mirror
from falsum.api.trace import Line, Reply
from falsum.errors import UsageError


class PushAction(SimpleAction):
    name = word = "push"
    min_args = 1

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.has("incremental") and len(mirror.levels) <= mirror.bounds.levels

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return Line(self.word, (str(rng.choice((1, 1, 1, 2))),))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        mirror.levels.extend([] for _ in range(read_number(line.args[0])))
        mirror.end_answer()


class PopAction(SimpleAction):
    name = word = "pop"
    min_args = 1

    def is_ready(self, mirror: Mirror) -> bool:
        return len(mirror.levels) > 1

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        return Line(self.word, (str(rng.randint(1, len(mirror.levels) - 1)),))

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        levels = read_number(line.args[0])
        if not 0 < levels < len(mirror.levels):
            raise UsageError(f"cannot pop {levels} of {len(mirror.levels) - 1} levels")
        del mirror.levels[-levels:]
        mirror.end_answer()


class ResetAction(SimpleAction):
    """Resets options and assertions; sorts and terms belong to the library and remain."""

    name = word = "reset"

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.has("reset")

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        mirror.clear_options()
        mirror.logic = ""
        mirror.levels = [[]]
        mirror.end_answer()


class ResetAssertionsAction(SimpleAction):
    name = word = "reset-assertions"

    def is_ready(self, mirror: Mirror) -> bool:
        return mirror.has("reset-assertions")

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        mirror.levels = [[]]
        mirror.end_answer()
