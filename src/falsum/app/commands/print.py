"""`falsum print`: reads a script and prints it."""

from __future__ import annotations

import sys

import click

from falsum.app import options, script_files
from falsum.smtlib.printing.printer import print_command


@click.command()
@click.argument("file", metavar="FILE")
@options.input_limits
def command(file: str) -> None:
    """Read a script and print it.

    Prints one command per line, without comments. FILE may be - for standard input.
    """
    script = script_files.read(file)
    out = sys.stdout.buffer
    for line in script.commands:
        # Scripts are UTF-8 whatever the terminal is.
        out.write(print_command(line).encode() + b"\n")
    out.flush()
