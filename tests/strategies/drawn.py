"""Mutants for tests to look at."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random

from falsum.solvers.lab import Lab
from falsum.strategies import Mutant, Seed, Strategy


def draw(
    strategy: Strategy, seeds: Sequence[Seed], number: int, count: int, lab: Lab | None = None
) -> list[Mutant]:
    """The first `count` mutants; a loop over fewer than that would show nothing."""
    drawn = list(islice(strategy.mutants(seeds, Random(number), lab), count))
    assert len(drawn) == count
    return drawn
