"""Hunts: one strategy on one seed of one known bug, until the bug shows or the iterations are used up."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from bench.known_bugs import Bug, CountingLab, iterations, load, readable, shows

from falsum.errors import FalsumError
from falsum.solvers.lab import Lab
from falsum.solvers.zoo import Zoo
from falsum.strategies import Strategy
from falsum.strategies.mutant import Seed

OTHERS = ("z3", "cvc5")


def known_bugs(directory: Path, zoo: Zoo, most: int = 0, kinds: Sequence[str] = ()) -> list[Bug]:
    """Bugs with readable triggers and seeds, evenly over the list."""
    found = []
    for bug in load(directory, zoo):
        seeds = tuple(seed for seed in bug.seeds if readable(seed))
        if seeds and readable(bug.trigger) and (not kinds or bug.kind in kinds):
            found.append(replace(bug, seeds=seeds))
    if most and most < len(found):
        found = [found[number * len(found) // most] for number in range(most)]
    return found


def hunt(
    strategy: Strategy, bug: Bug, seed: Seed, lab: Lab, most: int, rng: Random, seconds: float = 0.0
) -> dict[str, Any]:
    """Whether the bug was found, after how many operations, iterations and seconds, and by which script.

    An operation is a mutant put to the solvers, or a solver call of the strategy itself.
    """
    others = [name for name in OTHERS if name != bug.newest.partition("@")[0]]
    asked = CountingLab(lab, tuple(dict.fromkeys((bug.newest, *others, bug.buggy))))
    partner = next((other for other in bug.seeds if other.name != seed.name), seed)
    given = (seed, *([partner] * (strategy.arity - 1)))[: strategy.arity]
    tested, text, started = 0, "", time.monotonic()
    try:
        for mutant in iterations(iter(strategy.mutants(given, rng, asked)), most):
            tested += 1
            if shows(bug, mutant.text, lab):
                text = mutant.text
                break
            if seconds and time.monotonic() - started > seconds:
                break
    except FalsumError as error:
        print(f"{strategy.name} on {seed.name}: {error}", file=sys.stderr)
    return {
        "found": bool(text),
        "tested": tested,
        "operations": tested + asked.count,
        "seconds": round(time.monotonic() - started, 2),
        "text": text,
    }


def hunt_all(
    strategy: Strategy, bug: Bug, lab: Lab, most: int, run: int, *, triggers: bool = False
) -> dict[str, Any]:
    """A hunt from each seed of a bug until one finds it: found, operations and seconds together."""
    total: dict[str, Any] = {"found": False, "tested": 0, "operations": 0, "seconds": 0.0}
    for seed in (bug.trigger,) if triggers else bug.seeds:
        one = hunt(strategy, bug, seed, lab, most, Random(f"{run}:{seed.name}"))
        for name in ("tested", "operations", "seconds"):
            total[name] += one[name]
        if one["found"]:
            return total | {"found": True, "kind": bug.kind}
    return total | {"kind": bug.kind}
