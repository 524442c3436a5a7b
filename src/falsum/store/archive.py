"""Archives of stores: findings, states and triage in one file, for other machines and as a baseline."""

from __future__ import annotations

import io
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from falsum.errors import SurroundingsError
from falsum.store import schema
from falsum.store.reader import StoreReader
from falsum.store.records import StoreContents
from falsum.store.store import FINDINGS
from falsum.version import __version__

_CONTENTS: Final = "store.json"
# What an archive may unpack to; a real store of thousands of findings has a few hundred megabytes.
_MAX_BYTES: Final = 4 << 30
_MAX_FILES: Final = 1_000_000


def write_archive(folder: Path, file: Path) -> int:
    """Write the findings of a store to a compressed tar file; return their number."""
    with StoreReader(folder) as reader:
        contents = reader.contents()
    scratch = file.with_name(f".{file.name}.new")
    try:
        with tarfile.open(scratch, "w:gz") as archive:
            data = msgspec.json.encode(contents)
            entry = tarfile.TarInfo(_CONTENTS)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
            for one in contents.findings:
                archive.add(folder / FINDINGS / one.folder, f"{FINDINGS}/{one.folder}", filter=_anonymous)
        scratch.replace(file)
    except OSError as error:
        raise SurroundingsError(f"{file}: {error.strerror or error}") from error
    finally:
        scratch.unlink(missing_ok=True)
    return len(contents.findings)


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """The entry without the user's name, because archives are sent around."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


@contextmanager
def opened_store(path: Path) -> Iterator[tuple[StoreContents, Path]]:
    """The contents of a store, and the folder of its findings; from a store's own folder or an archive."""
    if path.is_dir():
        with StoreReader(path) as reader:
            contents = reader.contents()
        yield contents, path / FINDINGS
        return
    if not path.exists():
        raise SurroundingsError(
            f"{path}: no such store; name a folder with {schema.FILE_NAME}, or a file written by "
            "falsum findings export --store"
        )
    with tempfile.TemporaryDirectory(prefix="falsum-") as scratch:
        _unpack(path, Path(scratch))
        yield _read_contents(path, Path(scratch) / _CONTENTS), Path(scratch) / FINDINGS


def _unpack(file: Path, to: Path) -> None:
    """Unpack an archive, which may come from anybody: only plain files and folders below `to`."""
    try:
        with tarfile.open(file, "r:*") as archive:
            size = count = 0
            for entry in archive:
                size, count = size + entry.size, count + 1
                if size > _MAX_BYTES or count > _MAX_FILES:
                    raise SurroundingsError(f"{file}: too large for an archive of findings")
                if not (entry.isfile() or entry.isdir()):
                    raise SurroundingsError(f"{file}: {entry.name!r} is not a plain file")
                archive.extract(entry, to, filter="data")
    except (tarfile.TarError, EOFError, OSError) as error:
        raise SurroundingsError(f"{file}: not an archive of findings: {error}") from error


def _read_contents(file: Path, contents: Path) -> StoreContents:
    try:
        return msgspec.json.decode(contents.read_bytes(), type=StoreContents)
    except OSError as error:
        raise SurroundingsError(f"{file}: not an archive of findings: it has no {_CONTENTS}") from error
    except msgspec.DecodeError as error:
        raise SurroundingsError(
            f"{file}: not an archive that falsum {__version__} can read: {error}"
        ) from error
