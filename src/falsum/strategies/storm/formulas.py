"""Formulas of known value, and the pools from which instances pick them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple


class Formula(NamedTuple):
    """A formula as text, its value under the assignment, and its Boolean depth.

    `is_agreed` if the value rests on solvers that agree, not on the evaluator alone.
    """

    text: str
    holds: bool
    depth: int
    is_agreed: bool = False


def assertion(formula: Formula) -> str:
    """Asserts the formula or its negation, whichever the assignment satisfies."""
    return f"(assert {formula.text if formula.holds else f'(not {formula.text})'})\n"


@dataclass(frozen=True, slots=True)
class FormulaBounds:
    """The bounds and probabilities for constructing formulas: parameters of `Storm`, by the same names."""

    depth: int
    longest: int
    initial: float
    conjunction: float
    connectives: bool


@dataclass(slots=True)
class Pools:
    """The initial pool, of fragments that have a value, and the pool of formulas constructed from them."""

    bounds: FormulaBounds
    fragments: Sequence[Formula]
    constructed: list[Formula] = field(default_factory=list)

    def construct(self, count: int, attempts: int, rng: Random) -> None:
        """Constructs `count` formulas, with `attempts` tries for each; none exceeds the bounds."""
        longest = self.bounds.longest
        for _ in range(count * attempts):
            if len(self.constructed) == count:
                return
            new = self._combined(rng)
            if new.depth <= self.bounds.depth and (not longest or len(new.text) <= longest):
                self.constructed.append(new)

    def pick(self, rng: Random) -> Formula:
        is_initial = not self.constructed or rng.random() < self.bounds.initial
        pool = self.fragments if is_initial else self.constructed
        return pool[rng.randrange(len(pool))]

    def _combined(self, rng: Random) -> Formula:
        first = self.pick(rng)
        if rng.random() >= self.bounds.conjunction:
            return Formula(f"(not {first.text})", not first.holds, first.depth + 1, first.is_agreed)
        second = self.pick(rng)
        if self.bounds.connectives:
            return _connected(first, second, self.pick(rng), rng)
        return _applied("and", first, second, holds=first.holds and second.holds)


def _connected(first: Formula, second: Formula, third: Formula, rng: Random) -> Formula:
    """A random connective of two formulas, or `ite` of three."""
    kind = rng.choice(("and", "or", "=>", "xor", "=", "ite"))
    if kind == "ite":
        return _applied(kind, first, second, third, holds=second.holds if first.holds else third.holds)
    holds = {
        "and": first.holds and second.holds,
        "or": first.holds or second.holds,
        "=>": not first.holds or second.holds,
        "xor": first.holds is not second.holds,
        "=": first.holds is second.holds,
    }[kind]
    return _applied(kind, first, second, holds=holds)


def _applied(kind: str, *parts: Formula, holds: bool) -> Formula:
    text = " ".join(part.text for part in parts)
    depth = max(part.depth for part in parts) + 1
    return Formula(f"({kind} {text})", holds, depth, any(part.is_agreed for part in parts))
