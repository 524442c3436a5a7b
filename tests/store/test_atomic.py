"""Files and folders are there as a whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from falsum.errors import SurroundingsError
from falsum.store import atomic


def test_a_file_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    atomic.write_file(file, "one")
    atomic.write_file(file, b"two\xff", 0o755)
    assert list(tmp_path.iterdir()) == [file]
    assert file.read_bytes() == b"two\xff"
    assert stat.S_IMODE(file.stat().st_mode) == 0o755


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(SurroundingsError, match="folder"):
        atomic.write_file(tmp_path / "folder", "one")
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]
    with pytest.raises(SurroundingsError, match="No such file"):
        atomic.write_file(tmp_path / "nowhere" / "a.txt", "one")


def test_a_folder_gets_its_name_when_it_is_full(tmp_path: Path) -> None:
    folder = tmp_path / "above" / "folder"
    with atomic.new_folder(folder) as scratch:
        (scratch / "a.txt").write_text("one")
        assert not folder.exists()
    assert (folder / "a.txt").read_text() == "one"
    with pytest.raises(ZeroDivisionError), atomic.new_folder(tmp_path / "above" / "other"):
        raise ZeroDivisionError
    assert os.listdir(tmp_path / "above") == ["folder"]  # noqa: PTH208


def test_what_a_killed_writer_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / ".new-folder" / "in").mkdir(parents=True)
    (tmp_path / ".new-file").touch()
    (tmp_path / "file").touch()
    atomic.remove_scratch(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["file"]
