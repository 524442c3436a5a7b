"""What a command line has named for a store is run again, and nothing that a received store names."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from falsum import trust
from falsum.campaign import named_programs
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.solver import resolve, resolve_received
from falsum.solvers.zoo import Zoo


@pytest.fixture
def name(tmp_path: Path) -> str:
    file = tmp_path / "z3"
    file.write_text("#!/bin/sh\necho sat\n")
    file.chmod(0o755)
    return f"{file} -smt2"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    return folder


def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process, which inherits nothing."""
    monkeypatch.setenv(trust.VARIABLE, "")
    monkeypatch.setenv(trust.CHANGED, "")


def test_a_named_program_is_run_later(name: str, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named_programs.remember(store, [resolve(name, Zoo())])
    _later(monkeypatch)
    with pytest.raises(UsageError, match="not the name of a product"):
        resolve_received(name, Zoo())
    named_programs.trust_named(store)
    assert resolve_received(name, Zoo()).command[1:] == ("-smt2",)
    with pytest.raises(UsageError, match="not run"):
        resolve_received(f"{name} -other", Zoo())


def test_a_program_that_has_changed_is_not(name: str, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named_programs.remember(store, [resolve(name, Zoo())])
    _later(monkeypatch)
    Path(name.split(maxsplit=1)[0]).write_text("#!/bin/sh\necho unsat\n")
    named_programs.trust_named(store)
    with pytest.raises(UsageError, match="has changed since you named it here"):
        resolve_received(name, Zoo())
    named_programs.remember(store, [resolve(name, Zoo())])
    _later(monkeypatch)
    named_programs.trust_named(store)
    assert resolve_received(name, Zoo())


def test_a_store_of_somebody_else_is_not_believed(
    name: str, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another user"))
    named_programs.remember(store, [resolve(name, Zoo())])
    _later(monkeypatch)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "me"))
    named_programs.trust_named(store)
    assert not trust.trusted()
    with pytest.raises(UsageError, match="not run"):
        resolve_received(name, Zoo())


def test_what_is_sealed_is_the_name_and_its_files(
    name: str, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named_programs.remember(store, [resolve(name, Zoo())])
    file = store / named_programs.FILE_NAME
    (kept,) = msgspec.json.decode(file.read_bytes(), type=list[named_programs.NamedProgram])
    for forged in (
        msgspec.structs.replace(kept, name=f"{name} -x"),
        msgspec.structs.replace(kept, files=()),
        msgspec.structs.replace(kept, seal=""),
    ):
        file.write_bytes(msgspec.json.encode([forged]))
        _later(monkeypatch)
        named_programs.trust_named(store)
        assert not trust.trusted()
    file.write_bytes(b"[1]")
    with pytest.raises(SurroundingsError, match=r"named-programs\.json"):
        named_programs.trust_named(store)


def test_the_key_is_for_the_user_alone(name: str, store: Path) -> None:
    named_programs.remember(store, [resolve(name, Zoo())])
    key = Path(os.environ["XDG_STATE_HOME"]) / "falsum" / "key"
    assert key.stat().st_mode & 0o077 == 0
    assert key.read_bytes() != b""


def test_a_stored_plan_runs_only_what_was_named(
    name: str, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugin = str(Path(name.split(maxsplit=1)[0]))
    with pytest.raises(UsageError, match="--trust"):
        named_programs.expect_named([name], [])
    with pytest.raises(UsageError, match="--plugin"):
        named_programs.expect_named(["z3"], [plugin])
    named_programs.remember(store, [resolve(name, Zoo())], [plugin])
    _later(monkeypatch)
    named_programs.trust_named(store)
    named_programs.expect_named([name, "z3@4.8.7"], [plugin])
    Path(plugin).write_text("changed")
    _later(monkeypatch)
    named_programs.trust_named(store)
    with pytest.raises(UsageError, match="--plugin"):
        named_programs.expect_named([], [plugin])


def test_products_need_not_be_remembered(store: Path) -> None:
    named_programs.remember(store, [resolve("z3", Zoo())])
    assert not (store / named_programs.FILE_NAME).exists()
