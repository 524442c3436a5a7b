"""Solvers whose answers those of a library are compared with."""

from __future__ import annotations

from falsum.campaign import config
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo


def reference_solvers(solver: Solver, zoo: Zoo) -> list[Solver]:
    """The default solvers, without the release that is tested."""
    tested = (solver.profile.product, solver.version)
    others = [resolve(name, zoo) for name in config.DEFAULT_SOLVERS]
    return [other for other in others if (other.profile.product, other.version) != tested]
