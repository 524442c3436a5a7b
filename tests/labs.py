"""Labs of real solvers for tests."""

from __future__ import annotations

from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


def live_lab(*names: str, seconds: float) -> LiveLab:
    """A lab to be closed: z3, cvc5 and bitwuzla are there wherever falsum is."""
    zoo = Zoo()
    return LiveLab([resolve(name, zoo) for name in names], Limits(seconds=seconds))
