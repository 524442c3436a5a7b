"""Solvers whose answers those of a library are compared with."""

from __future__ import annotations

from falsum.campaign import config
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo


def reference_solvers(solver: Solver, zoo: Zoo, names: tuple[str, ...] = ()) -> list[Solver]:
    """The solvers named, or the default ones, without the release that is tested."""
    tested = (solver.profile.product, solver.version, solver.settings)
    others = [resolve(name, zoo) for name in names or config.DEFAULT_SOLVERS]
    return [other for other in others if (other.profile.product, other.version, other.settings) != tested]
