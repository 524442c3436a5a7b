"""Journal: answers and rows by the digest of what was asked, in a file that is only ever appended to.

With it an interrupted audit can resume, and no run is repeated. Only the positions of the records are in
memory.
"""

from __future__ import annotations

import hashlib
import os
import threading
from functools import lru_cache
from pathlib import Path
from typing import Final, Self, TypeVar

import msgspec

from falsum.errors import SurroundingsError

_KEY_LENGTH: Final = 32
_Record = TypeVar("_Record")


def digest(*words: str) -> str:
    """The digest of these words, the key of a record."""
    data = "\0".join(words).encode(errors="surrogateescape")
    return hashlib.blake2b(data, digest_size=_KEY_LENGTH // 2).hexdigest()


@lru_cache(maxsize=4)
def text_digest(text: str) -> str:
    """The digest of a query; cached, because it is needed several times in a row."""
    return digest(text)


class Journal:
    """A line per record: its key, a space, the record as JSON. The last line of a key counts.

    Without a file the records are lost when it is closed.
    """

    def __init__(self, file: Path | None) -> None:
        self._lock = threading.Lock()
        self._places: dict[bytes, int] = {}
        if file is None:
            self._file = os.memfd_create("journal")
            return
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise SurroundingsError(f"{file}: {error.strerror}") from error
        self._read()

    def __len__(self) -> int:
        return len(self._places)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:  # a thread that still runs must not write into another file of this number
            if self._file >= 0:
                os.close(self._file)
                self._file = -1

    def get(self, key: str, kind: type[_Record]) -> _Record | None:
        """The record of a key; None if there is none, or if another release of falsum wrote it."""
        with self._lock:
            place = self._places.get(bytes.fromhex(key))
        if place is None:
            return None
        try:
            return msgspec.json.decode(self._line(place)[_KEY_LENGTH + 1 :], type=kind)
        except msgspec.DecodeError:
            return None

    def put(self, key: str, record: object) -> None:
        line = key.encode() + b" " + msgspec.json.encode(record) + b"\n"
        with self._lock:
            try:
                os.write(self._file, line)
            except OSError as error:
                raise SurroundingsError(f"the journal cannot be written: {error.strerror}") from error
            self._places[bytes.fromhex(key)] = os.lseek(self._file, 0, os.SEEK_CUR) - len(line)

    def _line(self, place: int) -> bytes:
        text = b""
        while not text.endswith(b"\n"):
            chunk = os.pread(self._file, 1 << 14, place + len(text))
            if not chunk:
                break
            text += chunk
            if (end := text.find(b"\n")) >= 0:
                return text[:end]
        return text.strip()

    def _read(self) -> None:
        """Note where records are; the last line may be incomplete if its writer was killed."""
        place = 0
        with os.fdopen(os.dup(self._file), "rb") as lines:
            lines.seek(0)
            for line in lines:
                if line.endswith(b"\n"):
                    self._note(line, place)
                place += len(line)
                ends = line.endswith(b"\n")
        if place and not ends:
            os.write(self._file, b"\n")

    def _note(self, line: bytes, place: int) -> None:
        try:
            self._places[bytes.fromhex(line[:_KEY_LENGTH].decode())] = place
        except ValueError:  # not a record
            return
