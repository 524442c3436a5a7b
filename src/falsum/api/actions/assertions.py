"""The action that asserts a formula."""

# ruff: noqa: ARG002 - actions share a signature
from __future__ import annotations

from random import Random

from falsum.api.actions.action import SimpleAction
from falsum.api.model.mirror import Mirror
from falsum.api.model.random_terms import pick_rarely_used
from falsum.api.trace import Line, Reply
from falsum.errors import UsageError
from falsum.smtlib.sorts import BOOL


class AssertAction(SimpleAction):
    name = word = "assert"
    min_args = 1

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        formulas = mirror.formulas()
        # A formula without symbols is as good as true or false, and rarely interesting.
        composed = [entry for entry in formulas if entry.role == "term" and not entry.is_ground]
        entry = pick_rarely_used(composed if composed and rng.random() < 0.95 else formulas, rng)
        return Line(self.word, (entry.name,)) if entry else None

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        entry = mirror.entry(line.args[0])
        if entry.sort is not BOOL or entry.free:
            raise UsageError(f"{entry.name} cannot be asserted")
        entry.uses += 1
        mirror.end_answer()
        mirror.levels[-1].append(entry.name)
