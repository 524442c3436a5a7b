"""Minimisation by bounds, as in STORM: a smaller instance in place of the first one, before the reducer.

An instance with fewer assertions and less nesting is satisfiable by construction as well, so the reducer can
begin with a script that is often much shorter.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple

from falsum.errors import UsageError
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver
from falsum.store.records import FindingRecord
from falsum.strategies import BY_NAME, Seed, find_strategy
from falsum.strategies.mutant import Mutant
from falsum.strategies.storm import Storm
from falsum.strategies.storm.minimisation import smallest_instance

BOUNDS: Final = "storm-bounds"
_INSTANCES: Final = 40


class SmallerInstance(NamedTuple):
    """The script to continue with, the number of scripts tested, and whether it is smaller than before."""

    text: str
    tests: int
    is_smaller: bool


def smaller_instance(
    record: FindingRecord,
    text: str,
    shows: Callable[[str], bool],
    solvers: Sequence[Solver],
    limits: Limits,
    seconds: float,
) -> SmallerInstance:
    """The shortest instance that shows a finding of storm, in the given time; for other findings the
    text itself.
    """
    storm = _storm(record.strategy)
    if storm is None:
        return SmallerInstance(text, 0, is_smaller=False)
    end = time.monotonic() + seconds
    tests = 0

    def shows_it(mutant: Mutant) -> bool:
        nonlocal tests
        tests += 1
        return shows(mutant.text)

    with LiveLab(solvers, limits) as lab:
        small = smallest_instance(
            storm,
            Seed("instance", text),
            shows_it,
            Random(record.rng),
            lab,
            _INSTANCES,
            lambda: time.monotonic() > end,
        )
    if small is None or len(small.text) >= len(text):
        return SmallerInstance(text, tests, is_smaller=False)
    return SmallerInstance(small.text, tests, is_smaller=True)


def _storm(name: str) -> Storm | None:
    """The strategy storm with the parameters of a finding; None for other strategies."""
    if name.partition(":")[0] != "storm":
        return None
    try:
        strategy = find_strategy(name, BY_NAME)
    except UsageError:
        return None  # of a release with other parameters
    return strategy if isinstance(strategy, Storm) else None
