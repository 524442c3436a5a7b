"""fuzzchick: replaces an expression by another of the seed (Lampropoulos, Hicks, Pierce, OOPSLA 2019).

Mutants are well-sorted; nothing is known about their verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from falsum.smtlib import Script, print_term, read_script
from falsum.smtlib.printing.layout import Layout
from falsum.solvers.lab import Lab
from falsum.strategies.growth import ExpressionPool
from falsum.strategies.mutant import Mutant, Seed, replacement
from falsum.strategies.parameters import parameter
from falsum.strategies.seeds import MIN_LENGTH, is_accepted, kept, prepare

# A seed is given up after so many failures in a row.
_MAX_FAILURES: Final = 50


@dataclass(frozen=True, slots=True)
class FuzzChick:
    """Each mutant has one expression of the seed replaced by another of the same sort.

    With a `chain`, a mutant is made from the last one that the first solver accepted, until it is longer than
    `growth` times the seed.
    """

    name: str = "fuzzchick"
    arity: int = 1
    chain: int = parameter(1, "mutants in a row, each made from the last accepted one", least=1)
    growth: float = parameter(4.0, "length of a mutant, at most, as a multiple of the seed's", least=1)

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        seed = _first(seeds[0])
        if seed is None:
            return
        longest = max(len(seed.layout.text) * self.growth, MIN_LENGTH)
        failures = 0
        while seed.pool.replaceable and failures < _MAX_FAILURES:
            source = seed
            lineage: tuple[str, ...] = ()
            for _ in range(self.chain):
                step = source.step(rng)
                if step is None:
                    failures += 1
                    break
                failures = 0
                text, line = step
                lineage = (*lineage, line)
                yield Mutant(text, lineage=lineage)
                if self.chain == 1 or len(text) > longest or not is_accepted(text, lab):
                    break
                source = _Source.of(read_script(text))


class _Source(NamedTuple):
    """A script to mutate, with its expressions."""

    layout: Layout
    pool: ExpressionPool

    @classmethod
    def of(cls, script: Script) -> _Source:
        layout = Layout.of(script)
        return cls(layout, ExpressionPool(layout, script))

    def step(self, rng: Random) -> tuple[str, str] | None:
        """The text with another expression, and a line that names it; None if the draw gives none."""
        layout, pool = self
        if not pool.replaceable:
            return None
        number = pool.replaceable[rng.randrange(len(pool.replaceable))]
        old = layout.places[number].term
        new = pool.pick(old.sort, pool.scope_at(layout, number), old, rng)
        if new is None:
            return None
        return layout.replaced(number, print_term(new)), replacement(f"fuzzchick {number}", old, new)


@kept
def _first(seed: Seed) -> _Source | None:
    """The prepared seed; None if it is not suitable."""
    script = prepare(seed.script)
    return None if script is None else _Source.of(script)
