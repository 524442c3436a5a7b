"""How a solver was built: what a program that is no release of a package says about itself."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from falsum.errors import SurroundingsError
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver
from falsum.solvers.supervision.process import ProcessRunner, Program
from falsum.solvers.zoo import Origin

# Where a solver given as a command line comes from.
COMMAND_LINE: Final = "command line"
_SECONDS: Final = 5.0
_MAX_LINES: Final = 3
_MAX_LENGTH: Final = 300


def origin_of(solver: Solver) -> str:
    return str(solver.release.origin) if solver.release else COMMAND_LINE


def build_identity(solver: Solver) -> str:
    """What the program prints for its version, and its checksum; "" for releases of the package index."""
    if solver.release is not None and solver.release.origin in (Origin.OWN, Origin.ZOO):
        return ""
    program = solver.command[0] if solver.command else solver.release and solver.release.program
    if not program:
        return ""
    said = _version_text(program, solver.profile.version_arguments)
    checksum = hashlib.sha256(Path(program).read_bytes()).hexdigest()[:16]
    return f"{said or 'it prints no version'}; SHA-256 of {Path(program).name}: {checksum}…"


def _version_text(program: str, arguments: tuple[str, ...]) -> str:
    """The first lines that a program prints for its version, unless it ends with an error."""
    with ProcessRunner() as runner:
        try:
            done = runner.run(Program((program, *arguments)), Limits(seconds=_SECONDS))
        except SurroundingsError:
            return ""
    lines = [line.strip() for line in done.stdout.decode(errors="replace").splitlines() if line.strip()]
    return "; ".join(lines[:_MAX_LINES])[:_MAX_LENGTH] if done.status == 0 else ""
