"""Asides: questions put behind each check, such as why it is unknown, and what is said to them.

What is said stands between markers of its own and is taken out of the output, so it is no part of the answer.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from falsum.solvers.inputs.solver_input import SLOT

if TYPE_CHECKING:
    from falsum.solvers.inputs.solver_input import SolverInput


def with_asides(solver_input: SolverInput, secret: str, commands: tuple[str, ...]) -> SolverInput:
    """The input with these commands behind every check, if its solver echoes markers."""
    if not commands:
        return solver_input
    mark = f'(echo "{_mark(secret)}")\n'
    question = mark + "".join(f"{command}\n" for command in commands) + mark
    pieces = solver_input.slotted.split(SLOT)
    pieces[2::2] = [question + piece for piece in pieces[2::2]]  # every other one is a check
    return replace(solver_input, slotted=SLOT.join(pieces))


def split(stdout: str, secret: str) -> tuple[str, list[str]]:
    """The output without what is said to asides, and that, check by check."""
    pieces = re.split(rf'^"?{re.escape(_mark(secret))}"?$\n?', stdout, flags=re.MULTILINE)
    return "".join(pieces[::2]), pieces[1::2]


def _mark(secret: str) -> str:
    return f"info-{secret}"
