"""Minimisation by bounds (STORM's Algorithm 2): the smallest bounds whose instances still show a bug.

An instance that shows a bug is the seed; instances of it with fewer assertions, then with fewer nested
connectives, are tried by binary search. All of them are satisfiable by construction, so no second solver is
needed to ensure that, unlike for a reducer that edits text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

from falsum.solvers.lab import Lab
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.storm.strategy import Storm

# Whether a mutant shows the bug.
Shows = Callable[[Mutant], bool]


def smallest_instance(
    storm: Storm,
    seed: Seed,
    shows: Shows,
    rng: Random,
    lab: Lab | None,
    instances: int = 100,
    is_over: Callable[[], bool] = lambda: False,
) -> Mutant | None:
    """The shortest instance that shows the bug, within the smallest bounds found; None if none shows it.

    For each pair of bounds, `instances` is the number of tries, first of the seed and then of the shortest
    one, until the search `is_over`.
    """
    shortest: Mutant | None = None
    bounds: dict[str, Any] = {"assertions": storm.assertions, "depth": storm.depth}
    for name, least in (("assertions", 1), ("depth", 0)):
        low, high = least, bounds[name]
        while low < high and not is_over():
            middle = (low + high) // 2
            smaller = replace(storm, **(bounds | {name: middle, "changed": 0.0}))
            source = seed if shortest is None else Seed(seed.name, shortest.text)
            mutants = list(islice(smaller.mutants([source], rng, lab), instances))
            finding = _shortest(mutants, shows, is_over)
            if finding is None:
                low = middle + 1
                continue
            high = middle
            if shortest is None or len(finding.text) <= len(shortest.text):
                shortest = finding
        bounds[name] = high
    return shortest


def _shortest(mutants: Sequence[Mutant], shows: Shows, is_over: Callable[[], bool]) -> Mutant | None:
    """The first mutant that shows the bug, the shorter ones first."""
    by_length = sorted(mutants, key=lambda one: len(one.text))
    return next((mutant for mutant in by_length if not is_over() and shows(mutant)), None)
