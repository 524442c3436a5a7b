"""Every command with every kind of bad value: a message and an exit code, never a traceback."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from tests.app.test_main import called

from falsum.app.commands import ALL
from falsum.app.exit_codes import BROKEN_SURROUNDINGS, FOUND, WRONG_USE

# A value of its own for what must be there before anything else is looked at.
SCRIPT = "good.smt2"
TEXTS = ["", " ", "nonsense", "'", "(", "é☃", "\udcff", "%s{}", "x" * 5000, "=", "@"]
NUMBERS = ["0", "-1", "nan", "1e999", "9" * 40, "1.5", "٣"]
PATHS = ["nowhere", "folder", "binary.smt2", "good.smt2/below", "/dev/null", "empty"]
BAD = [*TEXTS, *NUMBERS, *PATHS]
# Codes that a command may end with; nothing here is an internal error.
CODES = {0, FOUND, WRONG_USE, BROKEN_SURROUNDINGS}
# What would run a campaign, wait for a terminal, or take long, gets little to do.
SHORT = {
    "fuzz": ["--count", "1", "--jobs", "1", "--strategy", "nothing-of-that-name"],
    "api": ["--print-model"],
    "mutate": ["--strategy", "opfuzz", "--count", "1"],
    "reduce": ["--command", "false", "--tests", "1"],
    "eval": ["--model", "good.smt2"],
    "report-bug": ["--solver", "nothing-of-that-name"],
    "bisect": ["--product", "cvc4", "--expect", "sat", "--timeout", "1"],
    "solve": ["--solver", "nothing-of-that-name"],
    "solvers doctor": ["nothing-of-that-name"],
    "findings export": ["--to", "exported"],
    "seeds stats": [SCRIPT],
    "seeds filter": [SCRIPT],
    "seeds minimise": [SCRIPT, "--solver", "nothing-of-that-name"],
    "solvers update": ["nothing-of-that-name"],
}
# Programs that are named here would really be run or installed.
SKIPPED = {
    ("reduce", "--command"),
    ("solvers add", "names"),
    ("solvers doctor", "names"),
    ("completion", "shell"),
}


def commands() -> Iterator[tuple[str, click.Command]]:
    for name in ALL:
        command = importlib.import_module(f"falsum.app.commands.{name.replace('-', '_')}").command
        if isinstance(command, click.Group):
            for inner, sub_command in command.commands.items():
                yield f"{name} {inner}", sub_command
        else:
            yield name, command


def parameters() -> Iterator[tuple[str, str]]:
    """Every option that takes a value, and every argument, of every command."""
    for name, command in commands():
        for parameter in command.params:
            flag = isinstance(parameter, click.Option) and parameter.is_flag
            if not flag:
                word = parameter.opts[0] if isinstance(parameter, click.Option) else str(parameter.name)
                if (name, word) not in SKIPPED:
                    yield name, word


def arguments_of(name: str, word: str, value: str) -> list[str]:
    """A command line in which the parameter has the value, and the others are as good as can be."""
    command = dict(commands())[name]
    line = name.split()
    short = list(SHORT.get(name, ()))
    if word.startswith("--"):
        if word in short:
            place = short.index(word)
            del short[place : place + 2]
        line += [*short, f"{word}={value}"]
    else:
        line += short
    for parameter in command.params:
        if isinstance(parameter, click.Argument) and (parameter.required or parameter.name == word):
            line += ["--", value if parameter.name == word else SCRIPT] if parameter.nargs == -1 else []
            line += [] if parameter.nargs == -1 else [value if parameter.name == word else SCRIPT]
    return line


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FALSUM_ZOO", str(tmp_path / "zoo"))
    (tmp_path / SCRIPT).write_text("(declare-const x Int)\n(assert (> x 1))\n(check-sat)\n")
    (tmp_path / "binary.smt2").write_bytes(bytes(range(256)))
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(("name", "word"), [pytest.param(*each, id=": ".join(each)) for each in parameters()])
def test_no_traceback_anywhere(name: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    for value in BAD:
        line = arguments_of(name, word, value)
        code, out, err = called(capsys, *line)
        said = f"{line} ended with {code}: {err}"
        assert code in CODES, said
        assert "Traceback" not in err, said
        assert "internal error" not in err, said
        assert code in (0, FOUND) or (out + err).strip(), said
