"""Scratch folders of workers; those left by killed workers are removed by later ones."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psutil

_PREFIX: Final = "falsum-"


@contextmanager
def scratch_folder(purpose: str) -> Iterator[Path]:
    """A folder for this process, removed at the end."""
    remove_left()
    folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{purpose}-{os.getpid()}-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def remove_left() -> None:
    """Remove the folders of processes that no longer exist on this machine."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*-*"):
        process = folder.name.split("-")[2]
        if process.isdecimal() and not _is_alive(int(process)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_alive(process: int) -> bool:
    try:
        return bool(psutil.Process(process).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True
