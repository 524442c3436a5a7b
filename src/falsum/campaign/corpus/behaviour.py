"""Behaviour of solvers on seeds: their statistics in buckets; few seeds that show all of it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from falsum.solvers.instruments import statistics
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver
from falsum.solvers.supervision.process import ProcessRunner


def behaviour(solver: Solver, script: str, limits: Limits, runner: ProcessRunner) -> frozenset[str]:
    """The verdicts and the statistics of a solver on a script, each with the power of two it is near."""
    given = solver.prepare(script)
    done = runner.run(
        solver.cold_program(given), limits, f"{given.text}\n{statistics.QUESTION}\n".encode(errors="replace")
    )
    return buckets(done.stdout.decode(errors="replace"))


def buckets(output: str) -> frozenset[str]:
    """The features in what a solver printed."""
    found = {word for word in ("sat", "unsat", "unknown") if re.search(rf"^{word}$", output, re.MULTILINE)}
    return statistics.buckets(output) | found


def fewest(features: Mapping[str, frozenset[str]], lengths: Mapping[str, int]) -> list[str]:
    """Few names that have all features together: always the one with the most new ones, then the shortest."""
    left = set().union(*features.values()) if features else set()
    chosen: list[str] = []
    while left:
        best = min(features, key=lambda name: (-len(features[name] & left), lengths[name], name))
        chosen.append(best)
        left -= features[best]
    return chosen
