"""Program marks: what identifies the files of a solver when a campaign begins, to notice if they change."""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import msgspec

from falsum.solvers.solver import Solver

_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
_CHUNK: Final = 1 << 20


class FileMark(msgspec.Struct, frozen=True):
    """A file as the file system describes it, and the digest of its content."""

    path: str
    look: tuple[int, ...]
    digest: str


class ProgramMark(msgspec.Struct, frozen=True):
    """The files of a solver on one machine."""

    machine: str
    files: tuple[FileMark, ...]

    @property
    def is_of_here(self) -> bool:
        return bool(self.machine) and self.machine == _machine()


def mark_of(solver: Solver) -> ProgramMark:
    """The mark of a solver's files as they are now."""
    return ProgramMark(_machine(), tuple(_mark(path) for path in files_of(solver)))


def files_of(solver: Solver) -> list[Path]:
    """The program of a solver, its libraries, its binding, and the files that its command line names."""
    paths = [Path(word) for word in solver.command if "/" in word]
    binding = solver.release.binding if solver.release is not None else None
    binaries = solver.binaries()
    # A library may be installed among hundreds of others.
    own = [path for path in binaries if solver.profile.product in path.name.lower()]
    files = (*(own or binaries), *paths, *([Path(binding)] if binding else ()))
    return [path for path in dict.fromkeys(files) if path.is_file()]


def digest_of_file(path: Path) -> str:
    """The digest of a file as it is now."""
    return _digest(path, _look(path))


def change_since(mark: ProgramMark) -> str:
    """How the files of a mark have changed; "" if they have not, or if the mark is from another machine."""
    if not mark.is_of_here:
        return ""
    for file in mark.files:
        path = Path(file.path)
        try:
            look = _look(path)
            if look != file.look and _digest(path, look) != file.digest:
                return f"{path} has been replaced"
        except OSError as error:
            return f"{path}: {error.strerror}"
    return ""


def _mark(path: Path) -> FileMark:
    look = _look(path)
    return FileMark(str(path), look, _digest(path, look))


def _look(path: Path) -> tuple[int, ...]:
    status = path.stat()
    return (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


@lru_cache(64)
def _digest(path: Path, look: tuple[int, ...]) -> str:
    """The digest of a file, computed again if its size or time has changed."""
    del look
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


@cache
def _machine() -> str:
    """The identity of the machine since its start; "" if unknown, and then nothing is compared."""
    try:
        return _BOOT.read_text().strip()
    except OSError:
        return ""
