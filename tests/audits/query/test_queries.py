"""Queries from every source, each once."""

from __future__ import annotations

import gzip
import tarfile
import zipfile
from pathlib import Path

import pytest

from falsum.audits.query import queries
from falsum.audits.query.queries import find_queries
from falsum.errors import SurroundingsError, UsageError

TEXT = "(check-sat)\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d" / "e").mkdir(parents=True)
    (tmp_path / "d" / "a.smt2").write_text(TEXT)
    (tmp_path / "d" / "e" / "b.smt2.gz").write_bytes(gzip.compress(TEXT.encode()))
    (tmp_path / "d" / "readme.txt").write_text("no query")
    with zipfile.ZipFile(tmp_path / "q.zip", "w") as archive:
        archive.write(tmp_path / "d" / "a.smt2", "../../a.smt2")
        archive.writestr("x.txt", "no query")
    with tarfile.open(tmp_path / "q.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "d", "d")
    (tmp_path / "list").write_text("# some\nd/a.smt2\n\nq.zip\n")
    return tmp_path


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["d"], ["d/a.smt2", "d/e/b.smt2.gz"]),
        (["d/a.smt2", "d"], ["d/a.smt2", "d/e/b.smt2.gz"]),
        (["d/**/*.smt2*"], ["d/a.smt2", "d/e/b.smt2.gz"]),
        (["q.zip"], ["q.zip!../../a.smt2"]),
        (["q.tar.gz"], ["q.tar.gz!d/a.smt2", "q.tar.gz!d/e/b.smt2.gz"]),
        (["@list"], ["d/a.smt2", "q.zip!../../a.smt2"]),
    ],
)
def test_sources(folder: Path, names: list[str], expected: list[str]) -> None:
    found = find_queries(names, folder / "scratch")
    assert [query.name for query in found] == expected
    assert {query.text() for query in found} == {TEXT}
    assert all((folder / query.file).resolve().is_relative_to(folder) for query in found)


@pytest.mark.parametrize(
    ("name", "error"), [("none.smt2", SurroundingsError), ("@none", SurroundingsError), ("e*", UsageError)]
)
def test_what_is_not_there_is_said(folder: Path, name: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        find_queries([name], folder / "scratch")


def test_huge_queries_are_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MAX_MEGABYTES", 0)
    (query,) = find_queries(["d/a.smt2"], folder / "scratch")
    with pytest.raises(SurroundingsError, match="more than"):
        query.text()
