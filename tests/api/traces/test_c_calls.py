"""Calls of C libraries through ctypes are written as programs."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.api.conftest import library_named
from tests.toy.builds import binding

from falsum.api.trace import read_trace
from falsum.api.traces.program import trace_to_program
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.supervision.process import ProcessRunner
from falsum.solvers.zoo import Zoo

HEAD = "# falsum trace 1\n# solver: x\nnew\n"
TOY = (
    HEAD
    + """s1 = sort Bool
t1 = const s1 x1
t2 = const s1 x2
t3 = const s1 unused
t4 = term and t1 t2
assert t4
check
-> sat
get-value t1
-> true
"""
)
YICES = (
    HEAD
    + """s1 = sort BitVec 4
t1 = const s1 x1
t2 = const s1 unused
t3 = value s1 0
t6 = term rotate_left[1] t1
t4 = term bvult t6 t3
t5 = term not t4
check t5
-> sat
get-value t1
-> #b0000
print t5
check t4 t5
-> unsat
"""
)


def program_of(text: str, solver: Solver) -> str:
    assert solver.release is not None
    with ProcessRunner() as runner:
        return trace_to_program(read_trace(text), solver.release, runner)


def printed(program: str, folder: str = "") -> list[str]:
    result = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={"PYTHONPATH": folder},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, f"{program}\n{result.stderr}"
    return result.stdout.splitlines()


def test_a_library_with_a_binding_of_ones_own() -> None:
    """Its arrays do not say where their numbers come from, so that no call may be left out."""
    program = program_of(TOY, resolve(binding(), Zoo()))
    assert program.count("toy.toy_const(") == 3
    assert printed(program)[-2:] == ["1", "1"]


def test_values_that_a_call_writes_are_printed() -> None:
    solver = library_named("yices")
    assert solver.release is not None
    program = program_of(YICES, solver)
    assert "unused" not in program.split("check_context", maxsplit=1)[0].replace("b'unused'", "")
    assert "(ctypes.c_int * 2)(t4, t5)" in program
    assert "yices_bvlt_atom(t6, t3)" in program
    rows = printed(program, str(solver.release.folder))
    assert "[0, 0, 0, 0]" in rows
    assert rows[0] == "3"
    assert rows[-1] == "4"


def test_an_error_of_the_library_ends_the_program() -> None:
    solver = library_named("yices")
    wrong = YICES.replace("t3 = value s1 0", "t3 = value s1 #b0").replace("check t5\n-> sat\n", "")
    program = program_of(wrong, solver)
    assert program.rstrip().splitlines()[-1].startswith("raise SystemExit('YicesError: ")


@pytest.mark.parametrize("name", ["z3", "bitwuzla"])
def test_python_modules_are_not_taken_for_c(name: str) -> None:
    program = program_of(TOY, library_named(name))
    assert f"import {name}" in program or f"from {name} import" in program
    assert "CDLL" not in program
