"""Asides: extra questions after each check, such as why it is unknown, and their answers.

The answers stand between markers of their own and are cut out of the output, so they are no part of the
check's answer.
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
    behind = slice(2, 2 * solver_input.checks + 1, 2)  # every other piece is a check, the last one a request
    pieces[behind] = [question + piece for piece in pieces[behind]]
    return replace(solver_input, slotted=SLOT.join(pieces))


def split(stdout: str, secret: str) -> tuple[str, list[str]]:
    """The output without asides, and the answers to asides by check."""
    pieces = re.split(rf'^"?{re.escape(_mark(secret))}"?$\n?', stdout, flags=re.MULTILINE)
    return "".join(pieces[::2]), pieces[1::2]


def _mark(secret: str) -> str:
    return f"info-{secret}"
