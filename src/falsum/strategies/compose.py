"""Composition: several strategies in a row on one mutant, as in `typefuzz+opfuzz`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from falsum.errors import FalsumError, UsageError
from falsum.solvers.lab import Lab
from falsum.strategies.mutant import Claim, Mutant, Seed, Strategy

# A mutant longer than this is not grown further.
_LONGEST: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Composed:
    """The first strategy makes mutants of the seeds, each further one a mutant of that mutant.

    Preserves what the last one promises. What an earlier one promises is kept only where the next says that
    the verdict stays the same (its reference is the script it was given), and then without the witness.
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
            made = mutant
            for part in further:
                made = _grown(part, made, seeds, rng, lab)
            yield made


def find(name: str, strategies: Mapping[str, Strategy]) -> Strategy:
    """The strategy a name means: one of those given, or several joined by `+`."""
    parts = []
    for word in name.split("+"):
        if word not in strategies:
            raise UsageError(f"unknown strategy {word!r}; known are {', '.join(strategies)}")
        parts.append(strategies[word])
    return parts[0] if len(parts) == 1 else Composed(tuple(parts))


def _grown(part: Strategy, mutant: Mutant, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Mutant:
    """One mutant of a mutant; itself if it is long enough already or does not suit the strategy."""
    if len(mutant.text) > _LONGEST:
        return mutant
    given = Seed(seeds[0].name if seeds else "mutant", mutant.text)
    try:
        made = next(iter(part.mutants((given, *seeds[1 : part.arity]), rng, lab)), None)
    except FalsumError:
        return mutant
    if made is None:
        return mutant
    claim = made.claim
    if claim is None and mutant.claim is not None and made.reference == mutant.text:
        claim = Claim(mutant.claim.verdicts)
    return replace(made, claim=claim, lineage=mutant.lineage + made.lineage)
