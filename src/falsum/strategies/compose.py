"""Composed strategies: several applied in a row, as in `typefuzz+opfuzz`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from falsum.errors import FalsumError, UsageError
from falsum.solvers.lab import Lab
from falsum.strategies.mutant import Claim, Mutant, Seed, Strategy
from falsum.strategies.parameters import configured, hint

# A mutant longer than this is not mutated further.
_LONGEST: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Composed:
    """The first strategy mutates the seeds, each further one mutates the result.

    The claim is that of the last strategy. An earlier claim is kept only if the next strategy keeps the
    verdict (its reference is the script it was given), and then without its witness.
    """

    parts: tuple[Strategy, ...]

    @property
    def name(self) -> str:
        return "+".join(part.name for part in self.parts)

    @property
    def arity(self) -> int:
        return self.parts[0].arity

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        first, *further = self.parts
        for mutant in first.mutants(seeds, rng, lab):
            current = mutant
            for part in further:
                current = _mutated_again(part, current, seeds, rng, lab)
            yield current


def find_strategy(name: str, strategies: Mapping[str, Strategy]) -> Strategy:
    """The strategy of this name, or the composition of several joined by `+`.

    Each may have settings: `valfuzz:cpog=true,multief=7`, or a named configuration: `sparrow:pst`.
    """
    parts = []
    for part in name.split("+"):
        word, colon, settings = part.partition(":")
        if word not in strategies:
            near = hint(word, strategies) or f"; choose from {', '.join(strategies)}"
            raise UsageError(f"unknown strategy {word!r}{near}")
        if colon and not settings:
            raise UsageError(f"{part!r}: a parameter or configuration must follow the colon")
        parts.append(configured(strategies[word], filter(None, settings.split(","))))
    return parts[0] if len(parts) == 1 else Composed(tuple(parts))


def _mutated_again(
    part: Strategy, mutant: Mutant, seeds: Sequence[Seed], rng: Random, lab: Lab | None
) -> Mutant:
    """A mutant of a mutant; the mutant itself if it is too long or not suitable for the strategy."""
    if len(mutant.text) > _LONGEST:
        return mutant
    mutant_seed = Seed(seeds[0].name if seeds else "mutant", mutant.text)
    try:
        next_mutant = next(iter(part.mutants((mutant_seed, *seeds[1 : part.arity]), rng, lab)), None)
    except FalsumError:
        return mutant
    if next_mutant is None:
        return mutant
    claim = next_mutant.claim
    if claim is None and mutant.claim is not None and next_mutant.reference == mutant.text:
        claim = Claim(mutant.claim.verdicts)
    return replace(next_mutant, claim=claim, lineage=mutant.lineage + next_mutant.lineage)
