"""double-negation: negates a Boolean term twice, which must not change any verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.sorts import BOOL
from falsum.solvers.lab import Lab
from falsum.strategies import Mutant, Seed


@dataclass(frozen=True, slots=True)
class DoubleNegation:
    """Replaces a Boolean term t of the seed by (not (not t))."""

    name: str = "double-negation"
    arity: int = 1

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del lab  # no solver is needed
        layout = Layout.of(seeds[0].script)
        places = [number for number, place in enumerate(layout.places) if place.term.sort == BOOL]
        while places:
            number = rng.choice(places)
            term = layout.text[layout.places[number].start : layout.places[number].end]
            yield Mutant(
                layout.replaced(number, f"(not (not {term}))"),
                reference=layout.text,  # solvers must answer the same to both
                lineage=(f"double-negation: {term}",),
            )
