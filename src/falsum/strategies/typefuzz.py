"""typefuzz: generative type-aware mutation (Park, Winterer, Zhang, Su, OOPSLA 2021), over all theories.

Mutants are well-sorted; nothing is known about their verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from falsum.smtlib.logics import Logic, logic_of
from falsum.smtlib.operators import Operator
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.terms import Head
from falsum.solvers.lab import Lab
from falsum.strategies.growth import ExpressionPool, functions_of, portable_operators, random_application
from falsum.strategies.mutant import Mutant, Seed, replacement
from falsum.strategies.parameters import parameter
from falsum.strategies.seeds import MIN_LENGTH, prepare

# A seed whose expressions no operator can combine is given up after so many failures in a row.
_MAX_FAILURES: Final = 20


class Applied(NamedTuple):
    """What new expressions are made with: operators, functions of the seed, and what the logic allows."""

    operators: tuple[Operator, ...]
    functions: tuple[Head, ...]
    logic: Logic


@dataclass(frozen=True, slots=True)
class TypeFuzz:
    """Replaces an expression by a new one of its sort: an operator or function of the seed applied.

    `chain` mutations follow each other before the seed is used again; `growth` limits the length of a mutant
    as a multiple of the seed's. `operators` restricts the operators (an operator file); empty means all that
    solvers read.
    """

    name: str = "typefuzz"
    arity: int = 1
    chain: int = parameter(4, "mutations in a row before the seed is used again", least=1)
    growth: float = parameter(4.0, "length of a mutant, at most, as a multiple of the seed's", least=1)
    operators: tuple[Operator, ...] = ()

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del lab
        script = prepare(seeds[0].script)
        if script is None:
            return
        start = Layout.of(script)
        pool = ExpressionPool(start, script)
        if not pool.replaceable:
            return
        logic = logic_of(script.logic)
        terms = (place.term for place in start.places)
        operators = self.operators or portable_operators(terms, logic=logic, hard=True)
        applied = Applied(operators, functions_of(script), logic)
        longest = max(len(start.text) * self.growth, MIN_LENGTH)
        failures = 0
        while failures < _MAX_FAILURES:
            layout = start
            lineage: tuple[str, ...] = ()
            for _ in range(self.chain):
                step = self._step(layout, pool, applied, rng)
                if step is None or len(step[0].text) > longest:
                    failures += 1
                    break
                failures = 0
                layout, lineage = step[0], (*lineage, step[1])
                yield Mutant(layout.text, lineage=lineage)

    def _step(
        self, layout: Layout, pool: ExpressionPool, applied: Applied, rng: Random
    ) -> tuple[Layout, str] | None:
        """Algorithm 2 of the paper: tries as many random expressions as the script has."""
        count = len(layout.places)
        for _ in range(count):
            number = rng.randrange(count)
            old = layout.places[number].term
            if layout.has_name(number) or not pool.may_replace(layout, number):
                continue
            scope = pool.scope_at(layout, number)
            operators, functions, logic = applied
            new = random_application(pool, old.sort, scope, operators, logic, rng, functions)
            if new is not None:
                return layout.with_term(number, new), replacement(f"typefuzz {number}", old, new)
        return None
