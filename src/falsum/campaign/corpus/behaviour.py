"""Behaviour of solvers on seeds: their statistics in buckets; few seeds that show all of it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Final

from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver
from falsum.solvers.supervision.process import ProcessRunner

# `:conflicts 12`, `(sat-conflicts 12)`, `sat::conflicts = 12`
_STATISTIC: Final = re.compile(r":?([A-Za-z][\w.:-]*)\s*=?\s+([0-9]+(?:\.[0-9]+)?)\b")
_NOT_BEHAVIOUR: Final = re.compile(r"(?i)time|memory|second|alloc|rlimit|rusage")
_QUESTION: Final = "\n(get-info :all-statistics)\n"


def behaviour(solver: Solver, script: str, limits: Limits, runner: ProcessRunner) -> frozenset[str]:
    """The verdicts and the statistics of a solver on a script, each with the power of two it is near."""
    given = solver.prepare(script)
    done = runner.run(solver.cold_program(given), limits, (given.text + _QUESTION).encode(errors="replace"))
    return buckets(done.stdout.decode(errors="replace"))


def buckets(output: str) -> frozenset[str]:
    """The features in what a solver printed."""
    found = {word for word in ("sat", "unsat", "unknown") if re.search(rf"^{word}$", output, re.MULTILINE)}
    for name, value in _STATISTIC.findall(output):
        if not _NOT_BEHAVIOUR.search(name):
            found.add(f"{name} {int(math.log2(float(value) + 1))}")
    return frozenset(found)


def fewest(features: Mapping[str, frozenset[str]], lengths: Mapping[str, int]) -> list[str]:
    """Few names that have all features together: always the one with the most new ones, then the shortest."""
    left = set().union(*features.values()) if features else set()
    chosen: list[str] = []
    while left:
        best = min(features, key=lambda name: (-len(features[name] & left), lengths[name], name))
        chosen.append(best)
        left -= features[best]
    return chosen
