"""`falsum check` and `falsum print`, as scripts use them: output and exit codes."""

from __future__ import annotations

import errno
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from falsum.app.exit_codes import OUTPUT_CLOSED
from falsum.app.main import main

GOOD = "(declare-const x Int)\n(assert (< x 1))\n(blub 1)\n"
BAD = "(declare-const x Int)\n(assert (+ x 1))\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "good.smt2").write_text(GOOD)
    (tmp_path / "a.smt2.gz").write_bytes(gzip.compress(GOOD.encode()))
    (tmp_path / "notes.txt").write_text("not a script")
    (tmp_path / "z bad.smt2").write_text(BAD)
    return tmp_path


def run(*arguments: str | Path) -> int:
    with pytest.raises(SystemExit) as caught:
        main([str(argument) for argument in arguments])
    assert isinstance(caught.value.code, int)
    return caught.value.code


def test_good(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", folder / "b") == 0
    assert capsys.readouterr() == ("1 script, 0 wrong\n", "")


def test_bad(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folder / "z bad.smt2"
    assert run("check", file) == 1
    message = "expected a Bool term, found one of sort Int"
    assert capsys.readouterr().out == f"{file}:2:10: {message}\n1 script, 1 wrong\n"


def test_a_directory_means_all_its_scripts_in_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "--json", folder) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    names = [str(Path(line["file"]).relative_to(folder)) for line in lines]
    assert names == ["a.smt2.gz", "z bad.smt2", "b/good.smt2"]
    assert [line["ok"] for line in lines] == [True, False, True]
    assert lines[0] == {
        "file": str(folder / "a.smt2.gz"),
        "ok": True,
        "error": None,
        "line": None,
        "column": None,
        "not_understood": ["(blub 1)"],
    }
    assert (lines[1]["line"], lines[1]["column"]) == (2, 10)
    assert "expected a Bool term" in lines[1]["error"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfe(\x00a\x00", ":1:1: byte 0xff is not UTF-8"),
        (b"\x7fELF\x02\x01\x01\x00\x00", ":1:1: expected a command"),
        (b'(assert true)\n(echo "\xe9")', ":2:8: byte 0xe9 is not UTF-8"),
        (b"(assert (and true", ":1:18: the script ends inside a term"),
        (b"(assert true))", ":1:14: expected a command, found )"),
        (b"(declare-const |x\n Int)", ":1:16: expected a symbol, found a quoted symbol that is never closed"),
    ],
)
def test_broken_files(tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, message: str) -> None:
    file = tmp_path / "a.smt2"
    file.write_bytes(data)
    assert run("check", file) == 1
    assert capsys.readouterr().out.startswith(f"{file}{message}")
    assert run("print", file) == 1
    assert capsys.readouterr().err.startswith(f"falsum: {file}{message}")


def test_missing_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = folder / "missing.smt2"
    assert run("check", missing, folder / "z bad.smt2") == 3
    out = capsys.readouterr().out
    assert f"{missing}: No such file or directory\n" in out
    assert "2 scripts, 2 wrong" in out
    assert run("check", "--json", missing) == 3
    line = json.loads(capsys.readouterr().out)
    assert (line["ok"], line["error"], line["line"]) == (False, "No such file or directory", None)
    assert run("print", missing) == 3
    assert capsys.readouterr() == ("", f"falsum: {missing}: No such file or directory\n")


def test_unreadable(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    scan, closed = os.scandir, str(folder / "b")

    def refuse(path: str) -> Iterator[os.DirEntry[str]]:
        """Root may read everything, so permissions alone would not do."""
        if path == closed:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert run("check", folder) == 3
    assert f"{closed}: Permission denied" in capsys.readouterr().err


def test_a_directory_without_scripts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", tmp_path) == 2
    assert "no scripts" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [[], ["check"], ["chek"], ["check", "--jsn", "x"], ["print"], ["print", "a", "b"]]
)
def test_wrong_use(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*arguments) == 2
    assert "Usage: falsum" in capsys.readouterr().err


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    assert "check" in capsys.readouterr().out
    assert run("check", "--help") == 0
    assert run("--version") == 0
    assert "falsum, version" in capsys.readouterr().out


def test_interrupt(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("falsum.app.script_files.read", interrupt)
    assert run("check", folder) == 130


def test_print(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    file = folder / "é.smt2"
    file.write_text('; gone\n(echo  "é")(check-sat)', encoding="utf-8")
    assert run("print", file) == 0
    assert capfdbinary.readouterr().out == '(echo "é")\n(check-sat)\n'.encode()


def falsum(*arguments: str | Path, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "falsum.app.main", *map(str, arguments)]
    return subprocess.run(command, input=data, capture_output=True, timeout=60, check=False)


def test_standard_input() -> None:
    printed = falsum("print", "-", data=b"(assert  true)")
    assert (printed.returncode, printed.stdout, printed.stderr) == (0, b"(assert true)\n", b"")
    checked = falsum("check", "-", data=b"(assert")
    assert (checked.returncode, checked.stdout.split(b"\n")[0]) == (
        1,
        b"-:1:8: the script ends inside a command",
    )


def test_a_broken_pipe_ends_quietly(tmp_path: Path) -> None:
    file = tmp_path / "a.smt2"
    file.write_text("(assert true)\n" * 200_000)
    command = [sys.executable, "-m", "falsum.app.main", "print", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline() == b"(assert true)\n"
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == OUTPUT_CLOSED


def test_check_does_not_load_the_solvers() -> None:
    heavy = "{'z3', 'cvc5', 'rich', 'msgspec'}"
    code = (
        f"import sys, falsum.app.main, falsum.app.commands.check; print({heavy} & set(sys.modules) or 'none')"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "none\n"
