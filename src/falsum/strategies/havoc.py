"""havoc: a few small edits of several kinds at once, as byte fuzzers make them, but well-sorted.

opfuzz replaces operators only, fuzzchick expressions only, and valfuzz chooses constants by the formulas they
make true; havoc reaches mutants that need edits of different kinds. Nothing is known about the verdicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from falsum.smtlib.operators import Operator
from falsum.solvers.lab import Lab
from falsum.strategies.growth import SmallEdits
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.parameters import parameter
from falsum.strategies.seeds import kept, prepare

# A seed is given up after so many failures in a row.
_MAX_FAILURES: Final = 50


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
        source = _source(seeds[0], self.operators)
        failures = 0
        while source is not None and failures < _MAX_FAILURES:
            changed = source.changed(self.most, rng)
            failures = 0 if changed is not None else failures + 1
            if changed is not None:
                text, lines = changed
                yield Mutant(text, lineage=tuple(f"havoc {line}" for line in lines))


@kept
def _source(seed: Seed, operators: tuple[Operator, ...]) -> SmallEdits | None:
    """The prepared seed; None if it is not suitable."""
    script = prepare(seed.script)
    return SmallEdits.of(script, operators) if script is not None else None
