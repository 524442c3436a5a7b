"""The scripts that a command line names: files, directories, standard input."""

from __future__ import annotations

import gzip
import os
import signal
import sys
import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn

import click

from falsum.errors import ScriptError, SurroundingsError, UsageError
from falsum.smtlib import Script, read_script
from falsum.smtlib.text.lexer import decode

SUFFIXES: Final = (".smt2", ".smt2.gz")
STANDARD_INPUT: Final = "-"
# How traces of library calls begin, which some commands take and others do not.
TRACE_START: Final = "# falsum trace"
# Limits of one input, and where a command line keeps its own.
MAX_MEGABYTES: Final = 64
MAX_SECONDS: Final = 120
LIMITS: Final = __name__


def script_files(names: Iterable[str]) -> Iterator[str]:
    """The files named; for a directory all scripts below it, sorted by name."""
    for name in names:
        if name == STANDARD_INPUT or not Path(name).is_dir():
            yield name
            continue
        is_empty = True
        for file in _below(name):
            is_empty = False
            yield file
        if is_empty:
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
    label = "<stdin>" if name == STANDARD_INPUT else name
    with _time_limit(label):
        return read_script(decode(_read_bytes(name), label), label)


def read_text(name: str, *, lenient: bool = False) -> str:
    """Read the text of a script or model from a file, which may be compressed, or from standard input.

    `lenient` accepts bytes that are not UTF-8, as solvers do.
    """
    label = "<stdin>" if name == STANDARD_INPUT else name
    with _time_limit(label):
        data = _read_bytes(name)
        return data.decode(errors="surrogateescape") if lenient else decode(data, label)


def _read_bytes(name: str) -> bytes:
    """All of a file, decompressed; UsageError for a trace of library calls."""
    data = _all_bytes(name)
    if data.startswith(TRACE_START.encode()):
        raise UsageError(
            f"{name} is a trace of library calls, not a script; `falsum replay` runs it (--smt2 prints it as"
            " a script), `falsum reduce` makes it small"
        )
    return data


def _all_bytes(name: str) -> bytes:
    """All of a file, decompressed, unless it is larger than `--max-size` allows."""
    most = int(_limit("max_size", MAX_MEGABYTES)) << 20
    if name == STANDARD_INPUT:
        return _within(sys.stdin.buffer.read(most + 1), most, "<stdin>")
    with _surroundings(name), Path(name).open("rb") as file:
        if not name.endswith(".gz"):
            return _within(file.read(most + 1), most, name)
        try:
            with gzip.GzipFile(fileobj=file) as packed:
                return _within(packed.read(most + 1), most, name)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise ScriptError(f"not a gzip file: {error}", 1, 1, name) from error


def _within(data: bytes, most: int, name: str) -> bytes:
    if len(data) > most:
        raise SurroundingsError(f"{name}: more than {most >> 20} MB; --max-size MB allows more")
    return data


def _limit(option: str, default: float) -> float:
    """A limit as the command line sets it."""
    context = click.get_current_context(silent=True)
    value: float = default if context is None else context.meta.get(f"{LIMITS}.{option}", default)
    return value


@contextmanager
def _time_limit(name: str) -> Iterator[None]:
    """Raise SurroundingsError in the main thread if reading takes longer than `--max-time`."""
    seconds = _limit("max_time", MAX_SECONDS)

    def give_up(_number: int, _frame: object) -> NoReturn:
        raise SurroundingsError(f"{name}: not read within {seconds:g} s; --max-time TIME allows more")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _surroundings(name: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        # ValueError: a name with a NUL byte.
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SurroundingsError(f"{name}: {reason or error}") from error
