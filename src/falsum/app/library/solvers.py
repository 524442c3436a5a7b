"""Solvers that are tested as libraries: those of a binding file, and those that answers are compared with."""

from __future__ import annotations

import shlex
from pathlib import Path

from falsum.api.conformance import conformance
from falsum.app.terminal import echo
from falsum.campaign import config
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo


def solver_name(file: Path) -> str:
    """The name of the solver that a binding file serves."""
    product = "".join(each if each.isalnum() else "-" for each in file.stem)
    return shlex.quote(f"{product}={file}")


def check_binding(file: Path) -> bool:
    """Print the items that fail and a summary; return whether none fails."""
    items = list(conformance(resolve(solver_name(file), Zoo())))
    failed = [item for item in items if item.problem]
    for item in failed:
        echo(f"{item.name}: {item.problem}")
    echo(f"{file}: {len(items) - len(failed)} of {len(items)} checks passed")
    return not failed


def reference_solvers(solver: Solver, zoo: Zoo, names: tuple[str, ...] = ()) -> list[Solver]:
    """The named solvers, or the default ones, without the release under test."""
    own_build = (solver.profile.product, solver.version, solver.settings)
    others = [resolve(name, zoo) for name in names or config.DEFAULT_SOLVERS]
    return [other for other in others if (other.profile.product, other.version, other.settings) != own_build]
