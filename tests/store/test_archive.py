"""A store in one file: written, read back, and refused if it is something else."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest
from tests.app.report.example import RECORD
from tests.store.test_merge import counts, filled, home

from falsum.errors import SurroundingsError
from falsum.store.archive import opened_store, write_archive
from falsum.store.merge import merge_contents
from falsum.store.reader import StoreReader
from falsum.store.states import FindingState, note_change, read_life
from falsum.store.store import Store


def test_there_and_back(tmp_path: Path) -> None:
    one = filled(tmp_path / "one", RECORD)
    note_change([home(one, RECORD)], FindingState.OBSOLETE)
    assert write_archive(one, tmp_path / "store.tar.gz") == 1
    with Store(tmp_path / "two") as store, opened_store(tmp_path / "store.tar.gz") as (contents, folders):
        merge_contents(store, contents, folders)
    assert counts(tmp_path / "two") == counts(one)
    assert read_life(home(tmp_path / "two", RECORD)) == read_life(home(one, RECORD))
    with opened_store(one) as (contents, folders), StoreReader(one) as reader:
        assert contents == reader.contents()
        assert (folders / contents.findings[0].folder).is_dir()
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["one", "store.tar.gz", "two"]


def tar_of(file: Path, entry: tarfile.TarInfo, data: bytes = b"") -> Path:
    entry.size = len(data)
    with tarfile.open(file, "w:gz") as archive:
        archive.addfile(entry, io.BytesIO(data))
    return file


def opened(file: Path) -> None:
    with opened_store(file):
        pass


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SurroundingsError, match="no such store"):
        opened(tmp_path / "missing")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(SurroundingsError, match="not an archive"):
        opened(tmp_path / "text")
    link = tarfile.TarInfo("store.json")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    with pytest.raises(SurroundingsError, match="not a plain file"):
        opened(tar_of(tmp_path / "link", link))
    with pytest.raises(SurroundingsError, match="not an archive"):
        opened(tar_of(tmp_path / "outside", tarfile.TarInfo("../store.json"), b"{}"))
    with pytest.raises(SurroundingsError, match="it has no store"):
        opened(tar_of(tmp_path / "other", tarfile.TarInfo("readme"), b"hello"))
    with pytest.raises(SurroundingsError, match="not an archive that falsum"):
        opened(tar_of(tmp_path / "odd", tarfile.TarInfo("store.json"), b"[1]"))
