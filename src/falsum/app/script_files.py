"""The scripts that a command line names: files, directories, standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn

from falsum.errors import SurroundingsError, UsageError
from falsum.smtlib import Script, read_file, read_script
from falsum.smtlib.text.lexer import decode

SUFFIXES: Final = (".smt2", ".smt2.gz")
STANDARD_INPUT: Final = "-"


def script_files(names: Iterable[str]) -> Iterator[str]:
    """The files named; for a directory all scripts below it, sorted by name."""
    for name in names:
        if name == STANDARD_INPUT or not Path(name).is_dir():
            yield name
            continue
        found = False
        for file in _below(name):
            found = True
            yield file
        if not found:
            raise UsageError(f"{name}: no scripts ({', '.join(SUFFIXES)}) in this directory")


def _below(directory: str) -> Iterator[str]:
    # os.walk does not follow links to directories, so it cannot loop.
    for folder, folders, files in os.walk(directory, onerror=_unreadable):
        folders.sort()
        yield from (os.path.join(folder, f) for f in sorted(files) if f.endswith(SUFFIXES))  # noqa: PTH118


def _unreadable(error: OSError) -> NoReturn:
    raise SurroundingsError(f"{error.filename}: {error.strerror}") from error


def read(name: str) -> Script:
    """Read a script from a file, which may be compressed, or from standard input."""
    if name == STANDARD_INPUT:
        return read_script(read_text(name), "<stdin>")
    with _surroundings(name):
        return read_file(Path(name))


def read_text(name: str) -> str:
    """Read the text of a script or model from a file or from standard input."""
    if name == STANDARD_INPUT:
        return decode(sys.stdin.buffer.read(), "<stdin>")
    with _surroundings(name):
        return decode(Path(name).read_bytes(), name)


@contextmanager
def _surroundings(name: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        # ValueError: a name with a NUL byte.
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SurroundingsError(f"{name}: {reason or error}") from error
