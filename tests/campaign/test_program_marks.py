"""What has become of the files of a solver."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from falsum.campaign.program_marks import change_since, mark_of
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "z3"
    file.write_text("#!/bin/sh\necho sat\n")
    file.chmod(0o755)
    return file


@pytest.mark.parametrize("name", ["{}", "/bin/sh {} -v"])
def test_changes_are_noticed(program: Path, name: str) -> None:
    mark = mark_of(resolve(name.format(program), Zoo()))
    assert change_since(mark) == ""
    os.utime(program, (1, 1))
    program.write_bytes(program.read_bytes())
    assert change_since(mark) == ""
    program.write_text("#!/bin/sh\necho unsat\n")
    assert change_since(mark) == f"{program} has been replaced"
    program.unlink()
    assert change_since(mark) == f"{program}: No such file or directory"
    assert change_since(msgspec.structs.replace(mark, machine="another")) == ""


def test_a_library_has_files() -> None:
    names = [Path(file.path).name for file in mark_of(resolve("bitwuzla", Zoo())).files]
    assert names
    assert all("bitwuzla" in name for name in names)
