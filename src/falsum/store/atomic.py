"""Atomic writes: a file or a folder is there as a whole or not at all, whatever happens to the writer."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from falsum.errors import SurroundingsError

_PREFIX: Final = ".new-"


def write_file(file: Path, content: str | bytes, mode: int = 0o644) -> None:
    """Write a file under another name, then rename it; raises SurroundingsError if that fails."""
    data = content.encode(errors="surrogateescape") if isinstance(content, str) else content
    scratch: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=_PREFIX, dir=file.parent)
        scratch = Path(name)
        with os.fdopen(handle, "wb") as opened:
            opened.write(data)
        scratch.chmod(mode)
        scratch.replace(file)
    except BaseException as error:
        if scratch is not None:
            scratch.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise SurroundingsError(f"{file}: {error.strerror}") from error
        raise


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """A folder to be filled, which gets its name at the end; removed if that fails."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=folder.parent))
    try:
        scratch.chmod(0o755)
        yield scratch
        scratch.rename(folder)
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise


def remove_scratch(folder: Path) -> None:
    """Remove the incomplete files of killed writers from a folder."""
    for scratch in folder.glob(f"{_PREFIX}*"):
        if scratch.is_dir():
            shutil.rmtree(scratch, ignore_errors=True)
        else:
            scratch.unlink(missing_ok=True)
