"""fuzzchick: replaces an expression by another one of the seed of the same sort (Lampropoulos et al., 2019).

Preserves: well-sortedness. Promises nothing about the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from falsum.smtlib import print_term
from falsum.smtlib.printing.layout import Layout
from falsum.solvers.lab import Lab
from falsum.strategies.growth.candidates import Pool
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.seeds.preparation import prepared
from falsum.strategies.typefuzz import shown


@dataclass(frozen=True, slots=True)
class FuzzChick:
    """One expression replaced in each mutant."""

    name: str = "fuzzchick"
    arity: int = 1

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del lab
        script = prepared(seeds[0].script)
        if script is None:
            return
        layout = Layout.of(script)
        pool = Pool(layout, script)
        failures = 0
        while pool.replaceable and failures < _MOST_FAILURES:
            number = pool.replaceable[rng.randrange(len(pool.replaceable))]
            old = layout.places[number].term
            new = pool.pick(old.sort, pool.spot(layout, number), old, rng)
            if new is None:
                failures += 1
                continue
            failures = 0
            lineage = f"fuzzchick {number}: {shown(old)} -> {shown(new)}"
            yield Mutant(layout.replaced(number, print_term(new)), lineage=(lineage,))


_MOST_FAILURES = 50
