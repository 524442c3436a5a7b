"""Databases are opened to read wherever they lie."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.store.test_store import finding_of

from falsum.errors import SurroundingsError
from falsum.store import schema
from falsum.store.reader import StoreReader
from falsum.store.records import BatchRecord
from falsum.store.store import Store

NOBODY = 65534
BATCH = BatchRecord(0, "opfuzz", "a.smt2", 1, 0.1, "done", {})


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user can enter, with a store whose last batch is in the write-ahead log only."""
    # Not tmp_path, which is closed to other users.
    parent = Path(tempfile.mkdtemp(prefix="falsum-store-"))
    parent.chmod(0o755)
    live, folder = parent / "live", parent / "read-only"
    with Store(live) as store:
        store.record(store.begin({}), BATCH, findings=[finding_of()])
        shutil.copytree(live, folder)
    assert (folder / f"{schema.FILE_NAME}-wal").stat().st_size > 0
    for file in folder.iterdir():
        file.chmod(0o555 if file.is_dir() else 0o444)
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(parent)


def findings_of(folder: Path) -> int:
    with StoreReader(folder) as store:
        return len(store.findings())


def as_another_user(folder: Path) -> int:
    """How many findings somebody sees who may write nothing; root may write everything, and is left."""
    if os.getuid() != 0:
        return findings_of(folder)
    child = os.fork()
    if not child:
        try:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            os._exit(findings_of(folder))
        finally:
            os._exit(99)
    _pid, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def test_a_read_only_store_can_be_listed(folder: Path) -> None:
    """SQLite could not open it: "attempt to write a readonly database"."""
    before = sorted(file.name for file in folder.iterdir())
    assert as_another_user(folder) == 1
    assert sorted(file.name for file in folder.iterdir()) == before


def test_where_no_store_is(tmp_path: Path) -> None:
    with pytest.raises(SurroundingsError, match="no campaign here"):
        schema.open_to_read(tmp_path)
    (tmp_path / schema.FILE_NAME).write_text("not a database, but a long text" * 100)
    with pytest.raises(SurroundingsError, match="file is not a database"):
        schema.open_to_read(tmp_path)
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(SurroundingsError, match="cannot open a store here"):
        schema.open_to_write(file)


def test_stores_of_other_formats_are_refused(tmp_path: Path) -> None:
    for version, writer in ((schema.VERSION + 1, "a newer"), (schema.VERSION - 1, "another")):
        folder = tmp_path / str(version)
        Store(folder).close()
        with closing(sqlite3.connect(folder / schema.FILE_NAME)) as database:
            database.execute(f"pragma user_version = {version}")
        for opened in (Store, StoreReader):
            with pytest.raises(SurroundingsError, match=rf"format {version}, written by {writer} release"):
                opened(folder)
