"""The configuration of a command: the first use of programs that it names is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from falsum.app.configuration import read_config


def test_the_first_use_of_programs_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    file = tmp_path / "falsum.toml"
    file.write_text('solvers = ["./z3"]')
    read_config(file)
    assert "names programs, which are run from now on: ./z3" in capsys.readouterr().err
    read_config(file)
    assert capsys.readouterr().err == ""
    file.write_text('solvers = ["./z3", "./other"]')
    read_config(file)
    assert "./z3, ./other" in capsys.readouterr().err


def test_products_are_not_worth_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    file = tmp_path / "falsum.toml"
    file.write_text('solvers = ["z3"]')
    assert read_config(file).solvers == ("z3",)
    assert capsys.readouterr().err == ""
    assert not (tmp_path / "state").exists()


def test_without_a_place_to_remember_it_is_said_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "state").write_text("a file")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    file = tmp_path / "falsum.toml"
    file.write_text('solvers = ["./z3"]')
    for _ in range(2):
        read_config(file)
        assert "./z3" in capsys.readouterr().err
