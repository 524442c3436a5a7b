"""Stores of others: names in them lead nowhere, and nothing in them acts."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.app.pages.sample_store import TRIAGED, folder_of, make_store

from falsum.errors import SurroundingsError
from falsum.store import finding_folder
from falsum.store.names import FINDINGS, is_folder_name
from falsum.store.reader import StoreReader
from falsum.store.schema import FILE_NAME
from falsum.store.store import Store


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("model-z3-12ab", True), ("..", False), ("", False), (".", False), ("/etc", False), ("a/b", False),
     ("a/..", False), ("a\0b", False)],
)  # fmt: skip
def test_names_of_folders(name: str, *, is_one: bool) -> None:
    assert is_folder_name(name) is is_one


def change(folder: Path, statement: str) -> None:
    database = sqlite3.connect(folder / FILE_NAME)
    with database:
        database.execute(statement)
    database.close()


@pytest.mark.parametrize("name", ["/etc", "../..", "."])
def test_a_folder_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    folder = make_store(tmp_path / "store")
    change(folder, f"update findings set folder = '{name}'")
    with StoreReader(folder) as store, pytest.raises(SurroundingsError, match="is not the name of a finding"):
        store.findings()


def test_links_are_not_followed(tmp_path: Path) -> None:
    folder = make_store(tmp_path / "store")
    home = folder_of(folder, TRIAGED)
    record = home / "finding.json"
    record.rename(tmp_path / "elsewhere.json")
    record.symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(SurroundingsError, match="symbolic links"):
        finding_folder.read(home)
    home.rename(folder / FINDINGS / "moved")
    home.symlink_to(folder / FINDINGS / "moved")
    with StoreReader(folder) as store, pytest.raises(SurroundingsError, match="symbolic links"):
        store.findings()


@pytest.mark.parametrize("opened", [StoreReader, Store])
@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("create trigger act after update on findings begin delete from findings; end", "trigger"),
        ("create view shown as select * from findings", "view"),
        ("create virtual table act using fts5(text)", "table"),
    ],
)
def test_what_acts_is_refused(
    tmp_path: Path, opened: Callable[[Path], StoreReader], statement: str, kind: str
) -> None:
    folder = make_store(tmp_path / "store")
    change(folder, statement)
    with pytest.raises(SurroundingsError, match=f"the store has a {kind} '"):
        opened(folder)
