"""`falsum check`: read and sort-check scripts."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Final

import click

from falsum.app import script_files
from falsum.errors import ScriptError, SurroundingsError

_FOUND: Final = 1
_BROKEN_SURROUNDINGS: Final = 3


@dataclass(frozen=True, slots=True)
class Check:
    """What is said about one file: a JSON line of `--json`."""

    file: str
    ok: bool
    error: str | None = None
    line: int | None = None
    column: int | None = None
    not_understood: list[str] = field(default_factory=list)

    @property
    def is_unreadable(self) -> bool:
        return not self.ok and self.line is None

    def __str__(self) -> str:
        name = click.format_filename(self.file)
        return (
            f"{name}: {self.error}"
            if self.is_unreadable
            else f"{name}:{self.line}:{self.column}: {self.error}"
        )


def check(file: str) -> Check:
    """Reads one file; never raises because of what is in it."""
    try:
        script = script_files.read(file)
    except ScriptError as error:
        return Check(file, ok=False, error=error.message, line=error.line, column=error.column)
    except SurroundingsError as error:
        return Check(file, ok=False, error=str(error).removeprefix(f"{file}: "))
    return Check(file, ok=True, not_understood=[command.text for command in script.not_understood])


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--json", "as_json", is_flag=True, help="One JSON line a file, and nothing else.")
@click.pass_context
def command(context: click.Context, files: tuple[str, ...], *, as_json: bool) -> None:
    """Read and sort-check scripts; a directory means all scripts in it, - standard input.

    One line for every file that is wrong: FILE:LINE:COLUMN: MESSAGE. Exit code 1 if there is one, 3 if a file
    cannot be opened.
    """
    total = wrong = unreadable = 0
    for file in script_files.script_files(files):
        result = check(file)
        total += 1
        wrong += not result.ok
        unreadable += result.is_unreadable
        if as_json:
            click.echo(json.dumps(asdict(result)))
        elif not result.ok:
            click.echo(str(result))
    if not as_json:
        click.echo(f"{total} {'script' if total == 1 else 'scripts'}, {wrong} wrong")
    context.exit(_BROKEN_SURROUNDINGS if unreadable else _FOUND if wrong else 0)
