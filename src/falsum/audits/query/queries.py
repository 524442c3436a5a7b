"""Query: a file with checks, from directories, patterns, lists and archives."""

from __future__ import annotations

import glob
import gzip
import hashlib
import os
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from falsum.errors import SurroundingsError, UsageError
from falsum.store import atomic

SUFFIXES: Final = (".smt2", ".smt2.gz")
_ARCHIVES: Final = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")
_LIST: Final = "@"
MAX_MEGABYTES: Final = 64


@dataclass(frozen=True, slots=True)
class Query:
    """A query: `name` is shown to the user (a path, or `archive!member`); `file` holds its text."""

    name: str
    file: Path

    def text(self) -> str:
        """The text, decompressed; bytes that are not UTF-8 are kept, as solvers get them."""
        most = MAX_MEGABYTES << 20
        try:
            with self.file.open("rb") as opened:
                if self.file.name.endswith(".gz"):
                    with gzip.GzipFile(fileobj=opened) as packed:
                        data = packed.read(most + 1)
                else:
                    data = opened.read(most + 1)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise SurroundingsError(f"{self.name}: not a gzip file: {error}") from error
        except OSError as error:
            raise SurroundingsError(f"{self.name}: {error.strerror or error}") from error
        if len(data) > most:
            raise SurroundingsError(f"{self.name}: more than {MAX_MEGABYTES} MB")
        return data.decode(errors="surrogateescape")


def find_queries(names: Iterable[str], scratch: Path) -> list[Query]:
    """The queries that names mean: files, directories, patterns, `@LIST` files, archives; each once.

    Archives are unpacked below `scratch`, under names of our own.
    """
    queries: dict[str, Query] = {}
    for name in names:
        count = 0
        for query in _of_name(name, scratch):
            queries.setdefault(query.name, query)
            count += 1
        if not count:
            raise UsageError(f"{name}: no queries ({', '.join(SUFFIXES)}) here")
    return list(queries.values())


def _of_name(name: str, scratch: Path) -> Iterator[Query]:
    if name.startswith(_LIST):
        yield from _of_list(Path(name.removeprefix(_LIST)), scratch)
        return
    path = Path(name)
    if path.is_dir():
        yield from (Query(file, Path(file)) for file in _below(name))
    elif path.exists():
        yield from _of_file(path, name, scratch)
    elif glob.has_magic(name):
        for match in sorted(glob.glob(name, recursive=True)):  # noqa: PTH207 - the pattern may be absolute
            if Path(match).is_file():
                yield from _of_file(Path(match), match, scratch)
    else:
        raise SurroundingsError(f"{name}: no such file or directory")


def _of_file(path: Path, name: str, scratch: Path) -> Iterator[Query]:
    if name.endswith(_ARCHIVES):
        yield from _of_archive(path, name, scratch)
    else:
        yield Query(name, path)


def _below(directory: str) -> Iterator[str]:
    # os.walk does not follow links to directories, so it cannot loop.
    for folder, folders, files in os.walk(directory):
        folders.sort()
        yield from (os.path.join(folder, f) for f in sorted(files) if f.endswith(SUFFIXES))  # noqa: PTH118


def _of_list(file: Path, scratch: Path) -> Iterator[Query]:
    """The queries of a list: a name a line, relative to the list; empty lines and `#` lines do not count."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SurroundingsError(f"{file}: not a list that can be read: {error}") from error
    for line in map(str.strip, lines):
        if line and not line.startswith("#"):
            yield from _of_name(os.path.normpath(file.parent / line), scratch)


def _of_archive(path: Path, name: str, scratch: Path) -> Iterator[Query]:
    """The members are written to files numbered by us: a member's name is not trusted as a path."""
    try:
        stamp = f"{path.resolve()} {path.stat().st_mtime_ns} {path.stat().st_size}"
        folder = scratch / hashlib.sha256(stamp.encode(errors="surrogateescape")).hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        members = _zip_members(path) if zipfile.is_zipfile(path) else _tar_members(path)
        for number, (member, data) in enumerate(members):
            file = folder / f"{number:06}{'.smt2.gz' if member.endswith('.gz') else '.smt2'}"
            if not file.exists():
                atomic.write_file(file, data)
            yield Query(f"{name}!{member}", file)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, zlib.error) as error:
        raise SurroundingsError(f"{name}: not an archive that can be read: {error}") from error


def _zip_members(path: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            if entry.filename.endswith(SUFFIXES):
                with archive.open(entry) as opened:
                    yield entry.filename, _bounded(opened.read((MAX_MEGABYTES << 20) + 1), entry.filename)


def _tar_members(path: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(path, "r:*") as archive:
        for entry in archive:
            if entry.isfile() and entry.name.endswith(SUFFIXES):
                opened = archive.extractfile(entry)
                if opened is not None:
                    yield entry.name, _bounded(opened.read((MAX_MEGABYTES << 20) + 1), entry.name)


def _bounded(data: bytes, name: str) -> bytes:
    if len(data) > MAX_MEGABYTES << 20:
        raise SurroundingsError(f"{name}: more than {MAX_MEGABYTES} MB")
    return data
