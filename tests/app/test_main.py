"""The command `falsum` itself: help, exit codes, messages."""

from __future__ import annotations

import errno
import importlib

import pytest

from falsum.app import exit_codes
from falsum.app.commands import ALL
from falsum.app.main import main
from falsum.app.options import duration


def called(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    assert isinstance(left.value.code, int)
    printed = capsys.readouterr()
    return left.value.code, printed.out, printed.err


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_lists_every_command_in_a_whole_sentence(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _err = called(capsys, option)
    assert code == 0
    listed = dict(line.split(maxsplit=1) for line in out.partition("Commands:\n")[2].splitlines())
    assert list(listed) == list(ALL)
    assert all(sentence.endswith(".") and "..." not in sentence for sentence in listed.values())


@pytest.mark.parametrize("name", ALL)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    # Other tests call commands without the group, and click keeps the help option of the first call.
    importlib.reload(importlib.import_module(f"falsum.app.commands.{name.replace('-', '_')}"))
    code, out, _err = called(capsys, name, "-h")
    assert code == 0
    assert out.startswith(f"Usage: falsum {name} ")


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("90s", 90), ("1h30m", 5400), ("0.5d", 43200)])
def test_durations(text: str, seconds: float) -> None:
    assert duration(text) == seconds


@pytest.mark.parametrize("text", ["10x", "", "m", "-5", "5 m", "0", "1h-30m", "nan", "inf", "٣s"])
def test_an_invalid_duration_is_named(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _out, err = called(capsys, "fuzz", f"--for={text}")
    assert code == 2
    assert f"invalid duration {text!r}; use e.g. 90s, 10m, 1h30m" in err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("nonsense",), 2, "No such command 'nonsense'"),
        (("fuzz", "--count", "1", "--for", "1s"), 2, "use either --for or --count"),
        (("api", "--mermaid"), 2, "--mermaid requires --print-model"),
        (("print", "nowhere.smt2"), 3, "nowhere.smt2: No such file or directory"),
        (("reduce", "nowhere.smt2"), 2, "use either --solver or --command"),
        (("mutate", "--strategy", "opfuzz"), 2, "opfuzz needs 1 seed"),
        (("replay", "nowhere"), 2, "nowhere: no such file or folder"),
        (("bisect", __file__), 2, "expected a command"),
    ],
)
def test_messages_and_exit_codes(
    arguments: tuple[str, ...], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    got, _out, err = called(capsys, *arguments)
    assert (got, message in err) == (code, True), err


def test_an_internal_error_has_an_exit_code_of_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_name: str) -> None:
        raise KeyError("generic")

    monkeypatch.setattr("falsum.app.script_files.read", broken)
    code, _out, err = called(capsys, "print", "a.smt2")
    assert code == exit_codes.INTERNAL_ERROR == 4
    assert err.startswith("falsum: internal error: KeyError: 'generic' (test_main.py:")
    assert "Traceback" not in err
    monkeypatch.setenv("FALSUM_TRACEBACK", "1")
    assert called(capsys, "print", "a.smt2")[2].startswith("Traceback (most recent call last):\n")


def test_a_full_disk_is_broken_surroundings(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_name: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "here")

    monkeypatch.setattr("falsum.app.script_files.read", full)
    assert called(capsys, "print", "a.smt2") == (3, "", "falsum: here: No space left on device\n")


def test_an_error_in_a_plug_in_is_none_of_falsum(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_name: str) -> None:
        raise KeyError("mine")

    monkeypatch.setattr("falsum.app.script_files.read", broken)
    monkeypatch.setattr("falsum.plugins._files", {__file__: {}})
    code, _out, err = called(capsys, "print", "a.smt2")
    assert code == exit_codes.BROKEN_SURROUNDINGS
    assert err.startswith("falsum: a plug-in fails: KeyError: 'mine' (test_main.py:")
    assert "bug in falsum" not in err
