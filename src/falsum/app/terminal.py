"""What the commands print: control characters of others never reach the terminal."""

from __future__ import annotations

import sys

import click

from falsum.printable import printable


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a message."""
    click.echo(printable(text), err=err, nl=nl)


def echo_exactly(text: str) -> None:
    """Print a script or a program, unchanged unless standard output is a terminal."""
    click.echo(printable(text) if sys.stdout.isatty() else text, nl=False)
