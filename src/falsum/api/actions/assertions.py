"""Assertions."""

# ruff: noqa: ARG002 - all of them have one shape
from __future__ import annotations

from random import Random

from falsum.api.actions.action import Call
from falsum.api.model.mirror import Mirror
from falsum.api.model.random_terms import pick
from falsum.api.traces.trace import Line, Reply
from falsum.errors import UsageError
from falsum.smtlib.sorts import BOOL


class Assert(Call):
    name = word = "assert"
    takes = 1

    def draw(self, mirror: Mirror, rng: Random) -> Line | None:
        formulas = mirror.formulas()
        # A formula of values alone is as good as true or false: little is learned from most of them.
        composed = [known for known in formulas if known.role == "term" and not known.is_ground]
        known = pick(composed if composed and rng.random() < 0.95 else formulas, rng)
        return Line(self.word, (known.name,)) if known else None

    def apply(self, mirror: Mirror, line: Line, reply: Reply) -> None:
        known = mirror.known(line.args[0])
        if known.sort is not BOOL or known.free:
            raise UsageError(f"{known.name} cannot be asserted")
        known.uses += 1
        mirror.changed()
        mirror.levels[-1].append(known.name)
