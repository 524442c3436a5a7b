"""havoc: a few small edits of several kinds at once, as byte fuzzers make them, but well-sorted.

opfuzz replaces operators only, fuzzchick expressions only, and valfuzz chooses constants by the formulas they
make true; havoc reaches mutants that need edits of different kinds. Nothing is known about the verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from falsum.smtlib.operators import Operator
from falsum.solvers.lab import Lab
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.parameters import parameter
from falsum.strategies.small_edits import edited_texts


@dataclass(frozen=True, slots=True)
class Havoc:
    """Each mutant is the seed with one to `most` edits.

    An edit replaces an operator by one of the same rank, a constant by another, or an expression by another
    of the seed or by a constant. `operators` restricts the operators (an operator file); empty means all that
    solvers read.
    """

    name: str = "havoc"
    arity: int = 1
    most: int = parameter(2, "edits in a mutant, at most", least=1)
    operators: tuple[Operator, ...] = ()

    def mutants(self, seeds: Sequence[Seed], rng: Random, lab: Lab | None) -> Iterator[Mutant]:
        del lab
        for text, lines in edited_texts(seeds[0], rng, self.most, self.operators):
            yield Mutant(text, lineage=tuple(f"havoc {line}" for line in lines))
