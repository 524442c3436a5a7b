"""Solvers that answer nothing are refused with what they printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from falsum.errors import SurroundingsError
from falsum.solvers.doctor import SCRIPTS, smoke_test
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

DECIDES_STRINGS = 'grep -q QF_S "$1" && echo sat || echo "(error \\"unsupported logic\\")"'


def program(folder: Path, body: str) -> str:
    file = folder / "solver.sh"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return str(file)


@pytest.mark.parametrize("name", ["z3", "cvc5", "bitwuzla"])
def test_solvers_pass(name: str) -> None:
    smoke_test([resolve(name, Zoo())])


@pytest.mark.parametrize("body", ["echo sat", "echo unsat", DECIDES_STRINGS])
def test_a_wrong_verdict_and_a_single_theory_pass(tmp_path: Path, body: str) -> None:
    smoke_test([resolve(program(tmp_path, body), Zoo())])


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("exit 0", "on the last one it ended and printed nothing"),
        ("cat", "printed nothing"),  # reads standard input only
        ("echo hello", "printed:\n    hello\n"),
        ("echo unknown", "printed:\n    unknown\n"),
        ("echo usage: solver >&2; exit 64", "printed:\n    usage: solver\n"),
        ("kill -SEGV $$", "it crashed and printed nothing"),
        ("sleep 60", "any of 2 simple scripts; on the last one it timed out"),
    ],
)
def test_what_answers_nothing_is_refused(tmp_path: Path, body: str, text: str) -> None:
    name = program(tmp_path, body)
    limits = Limits(seconds=1.0) if "sleep" in body else None
    with pytest.raises(SurroundingsError) as refused:
        smoke_test([resolve("z3", Zoo()), resolve(name, Zoo())], limits)
    assert str(refused.value).startswith(f"{name} does not decide any of ")
    assert text in str(refused.value)


def test_a_text_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text("hello\n")
    file.chmod(0o755)
    with pytest.raises(SurroundingsError, match=r"cannot start \S+text: Exec format error\Z"):
        smoke_test([resolve(str(file), Zoo())])


def test_every_script_is_of_another_logic() -> None:
    assert len({script.partition(")")[0] for script in SCRIPTS}) == len(SCRIPTS)
