"""Input of commands: files, compressed or not, within limits of size and time that can be set."""

from __future__ import annotations

import gzip
import os
import threading
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from falsum.app import options, script_files
from falsum.app.main import main
from falsum.errors import ScriptError, SurroundingsError

COMMANDS = ("check", "print", "solve", "reduce", "eval")
MEGABYTE = 1 << 20


@click.command()
@click.argument("file")
@options.input_limits
def size(file: str) -> None:
    click.echo(len(script_files.read_text(file)))


def test_size_is_limited_and_the_limit_can_be_set(tmp_path: Path) -> None:
    file = tmp_path / "a.smt2"
    file.write_bytes(b" " * (2 * MEGABYTE))
    assert CliRunner().invoke(size, [str(file)]).output == f"{2 * MEGABYTE}\n"
    refused = CliRunner().invoke(size, [str(file), "--max-size", "1"])
    assert isinstance(refused.exception, SurroundingsError)
    assert "more than 1 MB; --max-size MB allows more" in str(refused.exception)


def test_the_size_of_compressed_input_is_that_of_its_content(tmp_path: Path) -> None:
    file = tmp_path / "a.smt2.gz"
    file.write_bytes(gzip.compress(b" " * (2 * MEGABYTE)))
    assert CliRunner().invoke(size, [str(file), "--max-size", "2"]).output == f"{2 * MEGABYTE}\n"
    refused = CliRunner().invoke(size, [str(file), "--max-size", "1"])
    assert isinstance(refused.exception, SurroundingsError)
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(ScriptError, match="not a gzip file"):
        script_files.read(str(file))


def test_time_is_limited(tmp_path: Path) -> None:
    """A FIFO that somebody keeps open and writes nothing to."""
    fifo = tmp_path / "a.smt2"
    os.mkfifo(fifo)
    writer = threading.Thread(target=lambda: os.open(fifo, os.O_WRONLY))
    writer.start()
    refused = CliRunner().invoke(size, [str(fifo), "--max-time", "0.3s"])
    writer.join()
    assert isinstance(refused.exception, SurroundingsError)
    assert "not read within 0.3 s; --max-time TIME allows more" in str(refused.exception)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_that_read_scripts_of_others_have_the_limits(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.smt2"
    file.write_bytes(b" " * (2 * MEGABYTE))
    more = {"solve": ["-s", "z3"], "reduce": ["-s", "z3"], "eval": ["--model", str(file)]}.get(command, [])
    with pytest.raises(SystemExit) as ended:
        main([command, str(file), "--max-size", "1", *more])
    assert ended.value.code == 3
    shown = capsys.readouterr()
    assert "more than 1 MB" in shown.out + shown.err


@pytest.mark.parametrize(
    "words",
    [
        "check a.trace",
        "print a.trace",
        "solve a.trace -s z3",
        "report-bug a.trace",
        "bisect a.trace --product z3",
        "bisect a.trace --product z3 --expect sat",
        "refix a.trace --fixed z3@5.4.0",
        "mutate a.trace -t opfuzz",
        "eval a.trace --model a.trace",
    ],
)
def test_a_trace_is_no_script_and_commands_that_take_only_scripts_say_so(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.trace").write_text(f"{script_files.TRACE_START} 1\n# solver: cvc5\ncheck\n")
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert "is a trace of library calls, not a script; `falsum replay` runs it" in said.out + said.err
