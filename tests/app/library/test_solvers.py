"""Solvers that are tested as libraries: their names, and those their answers are compared with."""

from __future__ import annotations

from pathlib import Path

import pytest

from falsum.app.library.solvers import reference_solvers, solver_name
from falsum.campaign.config import DEFAULT_SOLVERS
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("acme.py", "acme=acme.py"),
        ("lib/my binding.py", "'my-binding=lib/my binding.py'"),
        ("acme_2.py", "acme-2=acme_2.py"),
    ],
)
def test_a_binding_file_is_a_solver(file: str, name: str) -> None:
    assert solver_name(Path(file)) == name


def test_a_library_is_not_compared_with_itself() -> None:
    zoo = Zoo()
    z3 = resolve("z3", zoo)
    assert [other.name for other in reference_solvers(z3, zoo)] == [n for n in DEFAULT_SOLVERS if n != "z3"]
    assert [other.name for other in reference_solvers(z3, zoo, ("cvc5", "z3"))] == ["cvc5"]
    # With other settings it is another solver.
    assert [other.name for other in reference_solvers(z3, zoo, ("z3:smt.arith.solver=2",))] == [
        "z3:smt.arith.solver=2"
    ]
