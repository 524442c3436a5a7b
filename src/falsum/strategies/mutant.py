"""What a strategy makes (Mutant), what it makes it from (Seed), and what it promises (Claim)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Protocol

from falsum.smtlib import Script, print_script, read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import Lab


@dataclass(frozen=True)
class Seed:
    """A script to start from; `name` is what lineages and findings call it."""

    name: str
    text: str

    @cached_property
    def script(self) -> Script:
        return read_script(self.text, self.name)

    @classmethod
    def of(cls, name: str, script: Script) -> Seed:
        seed = cls(name, print_script(script))
        seed.__dict__["script"] = script
        return seed


@dataclass(frozen=True, slots=True)
class Claim:
    """True by construction: the verdict of every check-sat in order; None where nothing is promised.

    `witness` is a model (as SMT-LIB definitions) that satisfies every assertion at every check claimed sat,
    or "" if there is none: then the claim rests on the relation to the seed.
    """

    verdicts: tuple[Verdict | None, ...]
    witness: str = ""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A script to ask solvers, with what is known about it and how it was made.

    `claim` is what holds by construction; `reference` a script whose verdict must be the same (or None);
    `lineage` the edits that made it, one line each, the first strategy first.
    """

    text: str
    claim: Claim | None = None
    reference: str | None = None
    lineage: tuple[str, ...] = field(default=())


class Strategy(Protocol):
    """A way to make mutants. Same seeds and same Random: same mutants, in any process."""

    @property
    def name(self) -> str: ...

    @property
    def arity(self) -> int:
        """How many seeds it takes: 0 generates, 1 mutates, 2 fuses."""
        ...

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        """Mutants without end, or as many as there are; nothing if the seeds do not suit.

        `lab` may be asked for models and verdicts; None means no solver is at hand, and a strategy that
        needs one then makes nothing.
        """
        ...
