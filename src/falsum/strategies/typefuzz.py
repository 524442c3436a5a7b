"""typefuzz: generative type-aware mutation (Park et al., OOPSLA 2021), over all theories.

Preserves: well-sortedness. Promises nothing about the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from falsum.smtlib import print_term
from falsum.smtlib.logics import Logic, logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.terms import Term
from falsum.solvers.lab import Lab
from falsum.strategies.growth.candidates import Pool, grow, usual_operators
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.seeds.preparation import prepared


@dataclass(frozen=True, slots=True)
class TypeFuzz:
    """Replaces an expression by a new one of its sort, made of an operator and expressions of the seed.

    `chain` mutations follow each other before the seed is taken again; `growth` bounds a mutant's length as a
    multiple of the seed's. `operators` restricts what may be used (an operator file); empty means all usual.
    """

    name: str = "typefuzz"
    arity: int = 1
    chain: int = 10
    growth: float = 4.0
    operators: tuple[Operator, ...] = ()

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del lab
        script = prepared(seeds[0].script)
        if script is None:
            return
        start = Layout.of(script)
        pool = Pool(start, script)
        if not pool.replaceable:
            return
        operators = self.operators or usual_operators(place.term for place in start.places)
        logic = logic_of(script.logic)
        longest = max(len(start.text) * self.growth, 400)
        failures = 0
        while failures < _MOST_FAILURES:
            layout = start
            lineage: tuple[str, ...] = ()
            for _ in range(self.chain):
                step = self._step(layout, pool, operators, logic, rng)
                if step is None or len(step[0].text) > longest:
                    failures += 1
                    break
                failures = 0
                layout, lineage = step[0], (*lineage, step[1])
                yield Mutant(layout.text, lineage=lineage)

    def _step(
        self, layout: Layout, pool: Pool, operators: tuple[Operator, ...], logic: Logic, rng: Random
    ) -> tuple[Layout, str] | None:
        """Algorithm 2: tries as many expressions as there are."""
        count = len(layout.places)
        for _ in range(count):
            number = rng.randrange(count)
            old = layout.places[number].term
            if layout.has_name(number) or not pool.may_replace(layout, number):
                continue
            new = grow(pool, old.sort, pool.spot(layout, number), operators, logic, rng)
            if new is not None:
                return layout.with_term(number, new), f"typefuzz {number}: {shown(old)} -> {shown(new)}"
        return None


# Seeds whose expressions no operator can combine are given up after so many tries in a row.
_MOST_FAILURES = 20


def shown(term: Term) -> str:
    """A term for a lineage: whole if short."""
    text = print_term(term)
    return text if len(text) <= 80 else f"{text[:77]}..."
