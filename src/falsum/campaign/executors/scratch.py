"""Scratch folders of workers; what killed ones have left is removed by the next that makes one."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil


@contextmanager
def scratch_folder(purpose: str) -> Iterator[Path]:
    """A folder for this process, removed at the end."""
    prefix = f"falsum-{purpose}-"
    _remove_left(prefix)
    folder = Path(tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_left(prefix: str) -> None:
    for left in Path(tempfile.gettempdir()).glob(f"{prefix}*-*"):
        process = left.name.removeprefix(prefix).partition("-")[0]
        if process.isdecimal() and not psutil.pid_exists(int(process)):
            shutil.rmtree(left, ignore_errors=True)
