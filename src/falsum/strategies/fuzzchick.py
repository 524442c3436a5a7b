"""fuzzchick: replaces an expression by another of the seed (Lampropoulos, Hicks, Pierce, OOPSLA 2019).

Mutants are well-sorted; nothing is known about their verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from falsum.smtlib import print_term
from falsum.smtlib.printing.layout import Layout
from falsum.solvers.lab import Lab
from falsum.strategies.growth import ExpressionPool
from falsum.strategies.lineage import replacement
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.seeds import prepare

# A seed is given up after so many failures in a row.
_MAX_FAILURES: Final = 50


@dataclass(frozen=True, slots=True)
class FuzzChick:
    """Each mutant has one expression of the seed replaced by another of the same sort."""

    name: str = "fuzzchick"
    arity: int = 1

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del lab
        script = prepare(seeds[0].script)
        if script is None:
            return
        layout = Layout.of(script)
        pool = ExpressionPool(layout, script)
        failures = 0
        while pool.replaceable and failures < _MAX_FAILURES:
            number = pool.replaceable[rng.randrange(len(pool.replaceable))]
            old = layout.places[number].term
            new = pool.pick(old.sort, pool.scope_at(layout, number), old, rng)
            if new is None:
                failures += 1
                continue
            failures = 0
            lineage = replacement(f"fuzzchick {number}", old, new)
            yield Mutant(layout.replaced(number, print_term(new)), lineage=(lineage,))
