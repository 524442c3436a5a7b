"""Standard streams that survive failures: a campaign goes on and stores its results if the output
is closed.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO


class _LastingFile(io.FileIO):
    """A file whose failures are hidden from the writer; `failure` says why output was lost."""

    failure = ""

    def write(self, data: Any, /) -> int:
        size = memoryview(data).nbytes
        if not self.failure:
            try:
                return super().write(data)
            except OSError as error:
                self.failure = error.strerror or str(error)
        return size


@contextmanager
def lasting_output() -> Iterator[None]:
    """A context in which neither a closed pipe nor a full device ends this process.

    At the end a message says that standard output was cut short, if standard error still works.
    """
    out, errors = sys.stdout, sys.stderr
    files = []
    try:
        sys.stdout, lasting = _lasting(out)
        files.append(lasting)
        sys.stderr, lasting = _lasting(errors)
        files.append(lasting)
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        if files[0] is not None and files[0].failure:
            failure = files[0].failure
            sys.stderr.write(f"falsum: standard output is incomplete: {failure}; the results are stored\n")
            sys.stderr.flush()
        sys.stdout, sys.stderr = out, errors


def _lasting(stream: TextIO) -> tuple[TextIO, _LastingFile | None]:
    """A stream to the same file that never fails; the stream itself if it has no file."""
    try:
        stream.flush()
        file = _LastingFile(stream.fileno(), "w", closefd=False)
    except (OSError, ValueError):  # of a test, or an embedding program
        return stream, None
    text = io.TextIOWrapper(
        io.BufferedWriter(file), stream.encoding, stream.errors, line_buffering=True, write_through=False
    )
    return text, file


def open_closed() -> None:
    """Open the standard streams that this process was started without.

    Otherwise the next file, such as the database of a store, would become standard output.
    """
    for descriptor, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(descriptor, mode, closefd=False))  # noqa: SIM115 - of a descriptor


def discard(stream: TextIO) -> None:
    """Redirect what a stream still holds to nowhere, because Python writes it once more at exit."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
