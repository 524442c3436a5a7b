"""Paths of another machine mean programs of this one, within a block or a worker process."""

from __future__ import annotations

from pathlib import Path

import pytest

from falsum.errors import SurroundingsError
from falsum.solvers.builds import relocation
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


@pytest.mark.parametrize("name", ["/elsewhere/z3", "z3=/elsewhere/z3", "/elsewhere/z3 -in"])
def test_a_program_is_found_where_it_is_now(tmp_path: Path, name: str) -> None:
    program = tmp_path / "received"
    program.write_text("#!/bin/sh\necho 'Z3 version 1.2.3'\n")
    program.chmod(0o755)
    with relocation.relocated({"/elsewhere/z3": str(program)}):
        solver = resolve(name, Zoo())
    assert solver.name == name
    assert solver.profile.product == "z3"
    assert str(program) in (*solver.command, solver.release and solver.release.program)
    with pytest.raises(SurroundingsError, match="program not found"):
        resolve(name, Zoo())
