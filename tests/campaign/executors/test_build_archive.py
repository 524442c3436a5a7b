"""Builds in archives: a program with shared libraries of its own runs where they are not."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from falsum.campaign.executors.build_archive import pack, unpack


def test_the_same_build_is_the_same_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "solver"
    file.write_text("#!/bin/sh\necho sat\n")
    now = pack(file)
    monkeypatch.setattr("time.time", lambda: 2e9)
    assert pack(file) == now


def test_a_script_travels_alone(tmp_path: Path) -> None:
    file = tmp_path / "solver"
    file.write_text("#!/bin/sh\necho sat\n")
    received = unpack(pack(file), "solver", tmp_path / "received")
    assert subprocess.check_output([received]) == b"sat\n"
    again = unpack(pack(file), "solver", tmp_path / "received")
    assert again == received


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_shared_libraries_travel_along(tmp_path: Path) -> None:
    build = tmp_path / "build"
    build.mkdir()
    (build / "library.c").write_text("int answer(void) { return 42; }\n")
    (build / "main.c").write_text(
        '#include <stdio.h>\nint answer(void);\nint main(void) { printf("%d\\n", answer()); }\n'
    )
    for line in (
        ("cc", "-shared", "-fPIC", "-o", "libanswer.so", "library.c"),
        ("cc", "-o", "solver", "main.c", "-L.", "-lanswer", f"-Wl,-rpath,{build}"),
    ):
        subprocess.run(line, cwd=build, check=True)
    archive = pack(build / "solver")
    shutil.rmtree(build)
    received = unpack(archive, "solver", tmp_path / "received")
    assert subprocess.check_output([received]) == b"42\n"
