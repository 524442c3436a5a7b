"""Output of the commands: control characters from outside never reach the terminal."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import click

from falsum.printable import on_one_line, printable

_CLEAR_LINE: Final = "\r\x1b[K"
_REFRESH_SECONDS: Final = 0.1
_WAITING_SECONDS: Final = 1.0
# The line of progress that stands on the terminal.
_status = {"text": ""}


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a message; a progress line is removed first."""
    if _status["text"]:
        status_line("")
    click.echo(printable(text), err=err, nl=nl)


def echo_exactly(text: str) -> None:
    """Print a script or a program, unchanged unless standard output is a terminal."""
    click.echo(printable(text) if sys.stdout.isatty() else text, nl=False)


def last_line(text: str) -> str:
    """The last line of a message, which in a traceback is the error."""
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def status_line(text: str) -> None:
    """Show a line on the terminal in place of the last one; "" removes it. Elsewhere nothing is shown."""
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns
        _status["text"] = on_one_line(text)[: width - 1]
        click.echo(f"{_CLEAR_LINE}{_status['text']}", err=True, nl=False)


@contextmanager
def progress_line(total: int | None, text: str) -> Iterator[Callable[[str], None]]:
    """Show a count of completed items, as in `12 of 40 triaged: name`; call it for each item."""
    count, shown_at = 0, 0.0

    def step(name: str) -> None:
        nonlocal count, shown_at
        count += 1
        if time.monotonic() - shown_at >= _REFRESH_SECONDS:
            shown_at = time.monotonic()
            status_line(f"{count} of {total} {text}: {name}" if total else f"{count} {text}: {name}")

    if total:
        status_line(f"0 of {total} {text}")
    try:
        yield step
    finally:
        status_line("")


@contextmanager
def waiting(text: str) -> Iterator[None]:
    """Show how long something has been running whose progress is not known."""
    if not sys.stderr.isatty():
        yield
        return
    start, is_over = time.monotonic(), threading.Event()

    def show() -> None:
        while not is_over.wait(_WAITING_SECONDS):
            status_line(f"{text} … {time.monotonic() - start:.0f} s")

    status_line(f"{text} …")
    shower = threading.Thread(target=show, daemon=True)
    shower.start()
    try:
        yield
    finally:
        is_over.set()
        shower.join()
        status_line("")
