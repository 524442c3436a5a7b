"""Guidance: how much more often than usual runs choose actions, theories, operators and options.

It is part of the description of a batch of runs, as their numbers are; without it every choice is as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from falsum.api.trace import Trace

ACTION: Final = "action"
THEORY: Final = "theory"
OPERATOR: Final = "operator"
OPTION: Final = "option"
_T = TypeVar("_T")


def word(kind: str, name: str) -> str:
    return f"{kind} {name}"


class Guidance:
    """Weights by word, such as `operator bvadd`; 1 for all others."""

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        self.weights = dict(weights or {})

    def weight(self, kind: str, name: str) -> float:
        return self.weights.get(word(kind, name), 1.0)

    def choice(self, kind: str, items: Sequence[_T], names: Iterable[str], rng: Random) -> _T:
        """One of some items, by the weights of their names."""
        if not self.weights:
            return rng.choice(items)
        return rng.choices(items, [self.weight(kind, name) for name in names])[0]

    def sample(self, kind: str, names: Sequence[str], count: int, rng: Random) -> list[str]:
        """Some of the names, each once, by their weights (Efraimidis and Spirakis 2006)."""
        if not self.weights:
            return rng.sample(names, count)
        keys = {name: rng.random() ** (1 / self.weight(kind, name)) for name in names}
        return sorted(names, key=lambda name: -keys[name])[:count]


def words_of(trace: Trace, actions: Iterable[str]) -> set[str]:
    """The words of a run: its actions, theories, operators and options."""
    words = {word(ACTION, name) for name in actions}
    words |= {word(THEORY, name) for name in trace.header.get("theories", "").split()}
    for line in trace.lines:
        if line.word == "term":
            # Functions of datatypes have other names in every run.
            words.add(word(OPERATOR, line.args[0].partition("[")[0].partition(":")[0]))
        elif line.word == "set-option":
            words.add(word(OPTION, line.args[0]))
    return words
