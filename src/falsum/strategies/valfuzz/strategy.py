"""valfuzz: other constants, chosen by Boolean sub-expression coercion (Wolff, ETH Zürich, 2020).

Constants become variables (holes); monitors watch the Boolean sub-expressions; a solver is asked for
constants under which a monitor takes a value that it has not taken yet. The scripts that ask it are mutants,
too.

Mutants keep the shape of the seed and its sorts, and its logic except for divisions by zero and, in scripts
with holes, variable coefficients. Other constants are another formula, so nothing is known about their
verdicts, unless the model that has the constants satisfies the mutant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from falsum.solvers.lab import Lab
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.parameters import configured
from falsum.strategies.valfuzz.holes import Skeleton
from falsum.strategies.valfuzz.seed_coercion import SeedCoercion
from falsum.strategies.valfuzz.settings import ValFuzzSettings


@dataclass(frozen=True, slots=True)
class ValFuzz(ValFuzzSettings):
    """Replaces constants so that Boolean sub-expressions take values they have not taken yet."""

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        coerced = self.coerce(seeds[0], rng, lab)
        return coerced.mutants() if coerced is not None else iter(())

    def coerce(self, seed: Seed, rng: Random, lab: Lab | None) -> SeedCoercion | None:
        """The coercion of a seed, with its coverage; None if the seed has no constants to change."""
        skeleton = Skeleton.of(seed.script)
        return SeedCoercion(self, skeleton, rng, lab, seed.memory) if skeleton is not None else None


CONFIGURATIONS: Final[Mapping[str, ValFuzz]] = {
    name: configured(ValFuzz(), [name]) for name in ValFuzz.configurations
}
