"""Contradictions: a formula and its negation, written differently over other names of the same parts.

No assignment satisfies both, so an instance with both is unsatisfiable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from falsum.strategies.storm.formulas import Formula

# Formulas that a contradiction is made of.
_FEWEST_PARTS: Final = 2
_MOST_PARTS: Final = 5


class _Node(NamedTuple):
    """One formula three times: unchanged, and over names, with the same and with the opposite value."""

    text: str
    same: str
    opposite: str


@dataclass(slots=True)
class ContradictoryAssertions:
    """The declarations of its names, and its assertions, which may stand in any order among others."""

    names: str
    rng: Random
    declarations: list[str] = field(default_factory=list)
    assertions: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, formulas: Sequence[Formula], names: str, rng: Random) -> ContradictoryAssertions | None:
        """A contradiction over some of the formulas; None if there are too few. Names begin with `names`."""
        texts = tuple(dict.fromkeys(formula.text for formula in formulas))
        if len(texts) < _FEWEST_PARTS:
            return None
        contradiction = cls(names, rng)
        choice = rng.sample(texts, rng.randint(_FEWEST_PARTS, min(_MOST_PARTS, len(texts))))
        nodes = [contradiction._leaf(text) for text in choice]
        while len(nodes) > 1:
            first, second = (nodes.pop(rng.randrange(len(nodes))) for _ in range(2))
            nodes.append(contradiction._joined(first, second))
        contradiction.assertions += (f"(assert {nodes[0].text})\n", f"(assert {nodes[0].opposite})\n")
        rng.shuffle(contradiction.assertions)
        return contradiction

    def _leaf(self, text: str) -> _Node:
        """A part, half of the time behind a name in the formula itself as well."""
        name = self._name(text)
        part = self._name(text) if self.rng.random() < 0.5 else text
        return _Node(part, name, f"(not {name})")

    def _name(self, text: str) -> str:
        """A new name that is equivalent to a formula, by one assertion or by two."""
        name = f"{self.names}{len(self.declarations)}"
        self.declarations.append(f"(declare-fun {name} () Bool)\n")
        kind = self.rng.randrange(4)
        if kind == 0:
            self.assertions.append(f"(assert (= {name} {text}))\n")
        elif kind == 1:
            self.assertions.append(f"(assert (not (xor {text} {name})))\n")
        elif kind == 2:
            self.assertions += (f"(assert (=> {name} {text}))\n", f"(assert (or {name} (not {text})))\n")
        else:
            self.assertions += (f"(assert (or (not {name}) {text}))\n", f"(assert (=> {text} {name}))\n")
        return name

    def _joined(self, a: _Node, b: _Node) -> _Node:
        kind = self.rng.choice(("and", "or", "=>", "xor"))
        text = f"({kind} {a.text} {b.text})"
        if kind == "and":
            both, either = self._both(a.same, b.same), self._either(a.opposite, b.opposite)
            return _Node(text, both, either)
        if kind == "or":
            return _Node(text, self._either(a.same, b.same), self._both(a.opposite, b.opposite))
        if kind == "=>":
            return _Node(text, self._either(a.opposite, b.same), self._both(a.same, b.opposite))
        same = self._either(self._both(a.same, b.opposite), self._both(a.opposite, b.same))
        opposite = self._either(self._both(a.same, b.same), self._both(a.opposite, b.opposite))
        return _Node(text, same, opposite)

    def _both(self, first: str, second: str) -> str:
        if self.rng.random() < 0.5:
            first, second = second, first
        if self.rng.random() < 0.3:
            return f"(not (=> {first} (not {second})))"
        return f"(and {first} {second})"

    def _either(self, first: str, second: str) -> str:
        if self.rng.random() < 0.5:
            first, second = second, first
        kind = self.rng.random()
        if kind < 0.3:
            return f"(not (and (not {first}) (not {second})))"
        return f"(=> (not {first}) {second})" if kind < 0.6 else f"(or {first} {second})"
