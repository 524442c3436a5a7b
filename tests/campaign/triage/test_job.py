"""How programs that are no releases of a package identify themselves."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from falsum.campaign.triage.job import build_identity, origin_of
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo


def program(folder: Path, body: str) -> str:
    file = folder / "solver"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return str(file)


def test_releases_of_the_package_index_are_what_they_are() -> None:
    solver = resolve("z3", Zoo())
    assert (build_identity(solver), origin_of(solver)) == ("", "own")


def test_a_program_says_what_it_is(tmp_path: Path) -> None:
    solver = resolve(program(tmp_path, "echo This is 1.2; echo; echo commit abc"), Zoo())
    assert build_identity(solver).startswith("This is 1.2; commit abc; SHA-256 of /")
    assert origin_of(solver) == "file"


def test_one_that_says_nothing_has_a_checksum(tmp_path: Path) -> None:
    for body in ("exit 0", "echo no such option; exit 1"):
        solver = resolve(f"{program(tmp_path, body)} -x", Zoo())
        assert build_identity(solver).startswith("it prints no version; SHA-256 of /")
        assert origin_of(solver) == "command line"


def test_it_says_how_it_was_built(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text('int puts(const char *); int main(void) { return puts("Toy 3") < 0; }')
    subprocess.run(["gcc", "-o", "toy", "a.c", "--coverage"], cwd=tmp_path, check=True)
    said = build_identity(resolve(f"z3={tmp_path / 'toy'}", Zoo()))
    assert re.fullmatch(r"Toy 3; built with coverage; GCC.*; SHA-256 of /.*/toy: \w+…", said)
