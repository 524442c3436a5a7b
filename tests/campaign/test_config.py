"""falsum.toml: read, overridden by flags, wrong keys named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from falsum.campaign import config
from falsum.errors import SurroundingsError, UsageError


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "falsum.toml"
    file.write_text(text)
    return file


def test_without_a_file_all_is_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert config.read() == config.Config()


def test_flags_override_the_file(tmp_path: Path) -> None:
    file = written(tmp_path, 'solvers = ["z3", "cvc5@1.1.2"]\n[limits]\nseconds = 3\nmemory = 500\n')
    read = config.read(file)
    assert read.limits_with().seconds == 3
    assert read.limits_with(seconds=7.5).seconds == 7.5
    assert read.limits_with(memory=9).memory == 9
    assert read.solvers_with() == ("z3", "cvc5@1.1.2")
    assert read.solvers_with(("yices",)) == ("yices",)


def test_options_apply_to_all_solvers_of_a_product(tmp_path: Path) -> None:
    file = written(tmp_path, '[options.z3]\n"smt.arith.solver" = 2\n"sat.euf" = true\n')
    names = ("z3", "z3@4.8.6", "z3:a=b", "cvc5", "/bin/z3", "z3 -x")
    assert config.read(file).solvers_with(names) == (
        "z3:smt.arith.solver=2,sat.euf=true",
        "z3@4.8.6:smt.arith.solver=2,sat.euf=true",
        *names[2:],
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('solver = ["z3"]', "unknown key solver; did you mean solvers?"),
        ("[limits]\nsecond = 3", "unknown key limits.second; did you mean limits.seconds?"),
        ("frobnicate = 1", "unknown key frobnicate; known are solvers, limits, options"),
        ('[limits]\nseconds = "a"', "Expected `float`"),
        ("= 3", "Invalid"),
    ],
)
def test_wrong_files_are_explained(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(UsageError) as raised:
        config.read(written(tmp_path, text))
    assert says in str(raised.value)


def test_limits_must_be_positive(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="positive"):
        config.Config().limits_with(seconds=0)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SurroundingsError, match="No such file"):
        config.read(tmp_path / "nope.toml")


def test_parameters_of_strategies_come_before_those_given(tmp_path: Path) -> None:
    file = written(
        tmp_path, '[strategies.valfuzz]\nmultief = 3\ncpog = true\n[strategies.sparrow]\nrules = ["pst"]\n'
    )
    names = ("valfuzz", "valfuzz:multief=9", "storm", "sparrow+opfuzz:most=1", "storm")
    assert config.read(file).strategies_with(names) == (
        "valfuzz:multief=3,cpog=true",
        "valfuzz:multief=3,cpog=true,multief=9",
        "storm",
        "sparrow:rules=pst+opfuzz:most=1",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[strategies.valfuz]\nmultief = 3\n", "unknown strategy 'valfuz'; did you mean valfuzz?"),
        ("[strategies.valfuzz]\nmultif = 3\n", "did you mean multief?"),
        ("[strategies.valfuzz]\nmultief = 0\n", "multief must be at least 1"),
    ],
)
def test_wrong_parameters_in_the_file_are_errors(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        config.read(written(tmp_path, text))
    assert message in str(raised.value)
    assert "falsum.toml: [strategies." in str(raised.value)


def test_what_everybody_may_write_is_not_trusted(tmp_path: Path) -> None:
    file = tmp_path / "falsum.toml"
    file.write_text('solvers = ["z3", "/opt/solver"]')
    file.chmod(0o666)
    with pytest.raises(UsageError, match="everybody may write it; if you trust it: --trust /opt/solver"):
        config.read(file)
    file.chmod(0o644)
    assert config.read(file).solvers == ("z3", "/opt/solver")


def test_a_pipe_is_no_configuration(tmp_path: Path) -> None:
    file = tmp_path / "falsum.toml"
    os.mkfifo(file)
    with pytest.raises(UsageError, match="not a regular file"):
        config.read(file)
