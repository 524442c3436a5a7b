"""Names of solvers: paths become absolute, everything else stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from falsum.app.solver_names import absolute_name
from falsum.errors import UsageError


@pytest.mark.parametrize(
    ("name", "absolute"),
    [
        ("z3", "z3"),
        ("z3@4.8.10:smt.arith.solver=2", "z3@4.8.10:smt.arith.solver=2"),
        ("./z3", "{here}/z3"),
        ("build/../z3", "{here}/z3"),
        ("/usr/bin/z3", "/usr/bin/z3"),
        ("z3=./my-z3", "z3={here}/my-z3"),
        ("./z3:a=b", "{here}/z3:a=b"),
        ("~/z3", "{home}/z3"),
        ("./z3 -T:5 'a b'", "{here}/z3 -T:5 'a b'"),
        ("z3 -T:5", "z3 -T:5"),
        ("/bin/sh x.sh '<='", "/bin/sh x.sh '<='"),
    ],
)
def test_paths(name: str, absolute: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/me")
    assert absolute_name(name) == absolute.format(here=tmp_path, home="/home/me")


@pytest.mark.parametrize("name", ["", "  ", "'z3", "z3\0"])
def test_names_of_nothing(name: str) -> None:
    with pytest.raises(UsageError, match="invalid solver"):
        absolute_name(name)
