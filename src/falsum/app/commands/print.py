"""`falsum print`: read a script, then print it."""

from __future__ import annotations

import sys

import click

from falsum.app import script_files
from falsum.smtlib.printing.printer import print_command


@click.command()
@click.argument("file")
def command(file: str) -> None:
    """Read a script (- is standard input), then print it: one command a line, comments gone."""
    script = script_files.read(file)
    out = sys.stdout.buffer
    for line in script.commands:
        # Scripts are UTF-8 whatever the terminal is.
        out.write(print_command(line).encode() + b"\n")
    out.flush()
