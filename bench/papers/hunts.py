"""Hunts: one strategy on one seed of one known bug, until the bug shows or the iterations are used up."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from bench.experiment import Experiment
from bench.known_bugs import Bug, CountingLab, iterations, lab_for, load, readable, shows

from falsum.errors import FalsumError
from falsum.solvers.lab import LiveLab
from falsum.solvers.zoo import Zoo
from falsum.strategies import Strategy
from falsum.strategies.mutant import Seed

OTHERS = ("z3", "cvc5")
CPU_SECONDS = 1.0  # of one solver call


def hunting_lab(bugs: Sequence[Bug]) -> LiveLab:
    """A lab for these bugs; its limit is one of CPU time."""
    return lab_for(bugs, OTHERS, Zoo(), CPU_SECONDS)


def known_bugs(
    known: Path,
    results: Path,
    most: int = 0,
    kinds: Sequence[str] = (),
    suits: Callable[[Bug], bool] = lambda bug: bool(bug.seeds),
) -> list[Bug]:
    """Bugs that suit an experiment and whose triggers show them in a hunt, evenly over the list.

    A bug that its own trigger does not show is found by no mutant either: the release that is installed may
    not have it, or a solver takes longer than the limit. What the triggers show is kept with the results.
    """
    found = [
        replace(bug, seeds=tuple(seed for seed in bug.seeds if readable(seed)))
        for bug in load(known, Zoo())
        if readable(bug.trigger) and (not kinds or bug.kind in kinds)
    ]
    found = [bug for bug in found if suits(bug)]
    by_name = {bug.name: bug for bug in found}
    units = [{"bug": bug.name, "release": bug.buggy, "cpu_seconds": CPU_SECONDS} for bug in found]
    with hunting_lab(found) as lab:
        records = Experiment(results, "known-bugs").run(
            units, lambda unit: {"shown": _is_shown(by_name[unit["bug"]], lab)}
        )
    found = [by_name[one.unit["bug"]] for one in records if one.result["shown"]]
    print(f"{len(found)} of {len(records)} triggers show their bugs", file=sys.stderr)
    if most and most < len(found):
        found = [found[number * len(found) // most] for number in range(most)]
    return found


def _is_shown(bug: Bug, lab: LiveLab) -> bool:
    return shows(bug, bug.trigger.text, lab)


def hunt(
    strategy: Strategy, bug: Bug, seed: Seed, lab: LiveLab, most: int, rng: Random, cpu: float = 0.0
) -> dict[str, Any]:
    """Whether the bug was found, after how many operations, mutants and CPU seconds, and by which script.

    An operation is a mutant put to the solvers, or a solver call of the strategy itself. A hunt of more than
    `cpu` seconds is ended.
    """
    others = [name for name in OTHERS if name != bug.newest.partition("@")[0]]
    asked = CountingLab(lab, tuple(dict.fromkeys((bug.newest, *others, bug.buggy))))
    partner = next((other for other in bug.seeds if other.name != seed.name), seed)
    given = (seed, *([partner] * (strategy.arity - 1)))[: strategy.arity]
    tested, text, started = 0, "", _cpu(lab)
    try:
        for mutant in iterations(iter(strategy.mutants(given, rng, asked)), most):
            tested += 1
            if shows(bug, mutant.text, lab):
                text = mutant.text
                break
            if cpu and _cpu(lab) - started > cpu:
                break
    except FalsumError as error:
        print(f"{strategy.name} on {seed.name}: {error}", file=sys.stderr)
    return {
        "found": bool(text),
        "tested": tested,
        "operations": tested + asked.count,
        "cpu": round(_cpu(lab) - started, 2),
        "text": text,
    }


def _cpu(lab: LiveLab) -> float:
    """CPU seconds of this process and of the solvers so far."""
    return time.process_time() + lab.usage.cpu


def hunt_all(
    strategy: Strategy,
    bug: Bug,
    lab: LiveLab,
    most: int,
    run: int,
    *,
    triggers: bool = False,
    cpu: float = 0.0,
) -> dict[str, Any]:
    """A hunt from each seed of a bug until one finds it: operations and CPU seconds together, and which."""
    total: dict[str, Any] = {"found": False, "kind": bug.kind, "tested": 0, "operations": 0, "cpu": 0.0}
    for seed in (bug.trigger,) if triggers else bug.seeds:
        if not triggers and shows(bug, seed.text, lab):
            continue  # nothing is left to find
        one = hunt(strategy, bug, seed, lab, most, Random(f"{run}:{seed.name}"), cpu)
        for name in ("tested", "operations", "cpu"):
            total[name] += one[name]
        if one["found"]:
            return total | {"found": True, "seed": seed.name}
    return total
