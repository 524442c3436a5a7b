"""`falsum check`: reads and sort-checks scripts."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

import click

from falsum.app import options, script_files
from falsum.app.exit_codes import BROKEN_SURROUNDINGS, FOUND
from falsum.app.terminal import echo, progress_line
from falsum.errors import ScriptError, SurroundingsError
from falsum.plural import counted


@dataclass(frozen=True, slots=True)
class Check:
    """The result for one file, as `--json` prints it."""

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
    """Check one file; never raises because of its contents."""
    try:
        script = script_files.read(file)
    except ScriptError as error:
        return Check(file, ok=False, error=error.message, line=error.line, column=error.column)
    except SurroundingsError as error:
        return Check(file, ok=False, error=str(error).removeprefix(f"{file}: "))
    return Check(file, ok=True, not_understood=[command.text for command in script.not_understood])


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@options.input_limits
@options.json_lines("file")
@click.pass_context
def command(context: click.Context, files: tuple[str, ...], *, as_json: bool) -> None:
    """Read and sort-check scripts.

    Prints FILE:LINE:COLUMN: MESSAGE for the first error in each file. FILE may be a directory of scripts,
    or - for standard input. Exit code 1 if a script is wrong, 3 if a file cannot be opened.
    """
    total = wrong = unreadable = 0
    with progress_line(None, "read") as step:
        for file in script_files.script_files(files):
            result = check(file)
            total += 1
            wrong += not result.ok
            unreadable += result.is_unreadable
            if as_json:
                echo(json.dumps(asdict(result)))
            elif not result.ok:
                echo(str(result))
            step(file)
    if not as_json:
        echo(f"{counted(total, 'script')}, {wrong} wrong")
    context.exit(BROKEN_SURROUNDINGS if unreadable else FOUND if wrong else 0)
