"""Archives of benchmarks: checked by their digests, unpacked script by script, never onto the disk."""

from __future__ import annotations

import gzip
import hashlib
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from falsum.campaign.corpus.seed_files import MAX_SEED_LENGTH, SUFFIXES
from falsum.errors import SurroundingsError, UsageError

_CHUNK: Final = 1 << 20


def check_digest(file: Path, expected_digest: str) -> None:
    """Raise UsageError unless the file has this SHA-256 digest."""
    digest = hashlib.sha256()
    try:
        with file.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    except OSError as error:
        raise SurroundingsError(f"{file}: {error.strerror}") from error
    if digest.hexdigest() != expected_digest.lower():
        raise UsageError(f"{file}: its SHA-256 is {digest.hexdigest()}, not {expected_digest}")


def scripts_in(file: Path) -> Iterator[tuple[str, str]]:
    """Name and text of every script in an archive that is short enough for a seed."""
    try:
        if zipfile.is_zipfile(file):
            yield from _in_zip(file)
        else:
            yield from _in_tar(file)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError, zlib.error) as error:
        raise SurroundingsError(f"{file}: not an archive that can be read: {error}") from error


def _in_tar(file: Path) -> Iterator[tuple[str, str]]:
    with tarfile.open(file, "r:*") as archive:
        for entry in archive:
            if entry.isfile() and entry.name.endswith(SUFFIXES):
                member = archive.extractfile(entry)
                if member is not None and (text := _text(entry.name, member.read(MAX_SEED_LENGTH + 1))):
                    yield entry.name, text


def _in_zip(file: Path) -> Iterator[tuple[str, str]]:
    with zipfile.ZipFile(file) as archive:
        for entry in archive.infolist():
            if entry.filename.endswith(SUFFIXES):
                with archive.open(entry) as member:
                    text = _text(entry.filename, member.read(MAX_SEED_LENGTH + 1))
                if text:
                    yield entry.filename, text


def _text(name: str, data: bytes) -> str:
    """The text of a script; "" if it is too long or not text."""
    if len(data) > MAX_SEED_LENGTH:
        return ""
    try:
        if name.endswith(".gz"):
            data = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(data, MAX_SEED_LENGTH + 1)
        return data.decode() if len(data) <= MAX_SEED_LENGTH else ""
    except (UnicodeDecodeError, gzip.BadGzipFile):
        return ""
