"""Archives of the user's own builds, for machines without them: a program and its shared libraries."""

from __future__ import annotations

import gzip
import io
import re
import tarfile
from pathlib import Path
from typing import Final

import platformdirs

from falsum.campaign.executors.executor import content_digest
from falsum.errors import SurroundingsError
from falsum.solvers.supervision.tool import run_tool
from falsum.store import atomic

# `libz3.so.4.8 => /home/me/build/libz3.so.4.8 (0x00007f…)`
_LIBRARY: Final = re.compile(r"^\s*\S+ => (/\S+) \(", re.MULTILINE)
# Libraries of the system are those of the worker's own system.
_SYSTEM: Final = ("/lib/", "/lib64/", "/lib32/", "/usr/lib/", "/usr/lib64/", "/usr/lib32/")
_LDD_SECONDS: Final = 30.0
_LIBRARIES: Final = "libraries"
_MAX_BYTES: Final = 1 << 30


def pack(program: Path) -> bytes:
    """A program, and the shared libraries it needs besides those of the system."""
    files = {program.name: program} | {f"{_LIBRARIES}/{path.name}": path for path in _libraries(program)}
    size = sum(file.stat().st_size for file in files.values())
    if size > _MAX_BYTES:
        raise SurroundingsError(
            f"{program} has {size >> 20} MB with its libraries, too much to send; "
            "put it on a shared file system"
        )
    buffer = io.BytesIO()
    with (
        # Without the time: the same build has the same digest, whenever it is packed.
        gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=1, mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w") as archive,
    ):
        for name, file in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = file.stat().st_size, 0o755
            with file.open("rb") as content:
                archive.addfile(entry, content)
    return buffer.getvalue()


def unpack(archive: bytes, program: str, folder: Path | None = None) -> str:
    """The path of the program in an archive, which is unpacked if it has not been before."""
    place = (folder or default_folder()) / content_digest(archive)
    if not place.is_dir():
        try:
            _unpack(archive, program, place)
        except OSError:  # another worker of this machine was faster
            if not place.is_dir():
                raise
    return str(place / program)


def _unpack(archive: bytes, program: str, place: Path) -> None:
    with (
        atomic.new_folder(place) as scratch,
        tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar,
    ):
        tar.extractall(scratch, filter="data")
        if (scratch / _LIBRARIES).is_dir():
            _write_launcher(scratch, place, program)


def default_folder() -> Path:
    """The folder for builds that came over the network."""
    return Path(platformdirs.user_cache_dir("falsum")) / "received"


def _libraries(program: Path) -> list[Path]:
    """The shared libraries that the dynamic linker finds outside the system's own folders."""
    output = run_tool(("ldd", str(program)), _LDD_SECONDS)
    if output.status:  # a script, or linked statically
        return []
    return [Path(path) for path in _LIBRARY.findall(output.output) if not path.startswith(_SYSTEM)]


def _write_launcher(scratch: Path, place: Path, program: str) -> None:
    """Write a script that starts the program with the folder of its libraries."""
    inner = scratch / f"{program}.program"
    (scratch / program).rename(inner)
    (scratch / program).write_text(
        f"#!/bin/sh\nLD_LIBRARY_PATH='{place}/{_LIBRARIES}' exec '{place}/{inner.name}' \"$@\"\n"
    )
    (scratch / program).chmod(0o755)
