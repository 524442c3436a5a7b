"""Mutant: a script made by a strategy; Seed: what it is made from; Claim: what is known of its verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from random import Random
from typing import Final, Protocol

from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab

# How a memory begins if the strategy has no more mutants of the seed.
SATURATED: Final = "saturated"
# Campaigns come back to a seed after a few others: what is found out about so many short ones is kept.
KEPT_SEEDS: Final = 128
KEPT_LENGTH: Final = 4096


@dataclass(frozen=True)
class Seed:
    """A script to start from; `name` identifies it in lineages and findings.

    `memory`, if there is one, takes what strategies note for their next visit, by the name of the strategy;
    without it every visit is the first.
    """

    name: str
    text: str
    memory: dict[str, str] | None = field(default=None, compare=False)

    @cached_property
    def script(self) -> Script:
        read = _read if len(self.text) <= KEPT_LENGTH else read_script
        return read(self.text, self.name)

    @classmethod
    def of(cls, name: str, script: Script) -> Seed:
        seed = cls(name, print_script(script))
        seed.__dict__["script"] = script
        return seed


@lru_cache(maxsize=KEPT_SEEDS)
def _read(text: str, name: str) -> Script:
    return read_script(text, name)


@dataclass(frozen=True, slots=True)
class Claim:
    """The verdict of every check in order, true by construction; None for a check that is not claimed.

    `witness` is a model, as SMT-LIB definitions, that satisfies the assertions at every check claimed sat.
    Without one ("") the claim rests on how the mutant is related to the seed.
    """

    verdicts: tuple[Verdict | None, ...]
    witness: str = ""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A script to test solvers with, what is known about it, and how it was made.

    `claim` holds by construction; `reference` is a script that must have the same verdicts; `lineage` are the
    edits that made the mutant, one line each, in order.
    """

    text: str
    claim: Claim | None = None
    reference: str | None = None
    lineage: tuple[str, ...] = field(default=())


class Strategy(Protocol):
    """A way to make mutants. The same seeds and the same Random give the same mutants, in any process."""

    @property
    def name(self) -> str: ...

    @property
    def arity(self) -> int:
        """How many seeds it takes: 0 to generate, 1 to mutate, 2 to fuse."""
        ...

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        """Mutants, usually without end; none if the seeds are not suitable.

        `lab` may be asked for models and verdicts. It is None if there is no solver; a strategy that needs
        one then makes no mutants.
        """
        ...
