"""`falsum focus`: lists the source files and functions that a change touches."""

from __future__ import annotations

from pathlib import Path

import click

from falsum.app.terminal import echo
from falsum.campaign.lifecycle.changed_code import ChangedFile, changed_files
from falsum.campaign.lifecycle.git_repository import GitRepository
from falsum.campaign.search.focus import FILE, FUNCTION, Pattern, mangled
from falsum.errors import UsageError
from falsum.printable import printable


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False), metavar="REPO")
@click.argument("revisions", metavar="REV..REV")
@click.option("--files", is_flag=True, help="List whole files instead of functions.")
def command(folder: Path, revisions: str, *, files: bool) -> None:
    """List the C and C++ functions that differ between two commits.

    The list is in the form of AFL++: AFL_LLVM_ALLOWLIST builds a solver in which only they count edges, and
    `falsum fuzz --focus @LIST` prefers mutants and seeds that reach them. A file is listed as a whole if it
    changed outside of functions.
    """
    if ".." not in revisions:
        raise UsageError(f"{revisions!r} is not a range of commits; write for example: main..HEAD")
    repository = GitRepository(folder)
    for revision in revisions.replace("...", "..").split(".."):
        repository.commit(revision or "HEAD")
    changes = list(changed_files(repository, revisions))
    if not changes:
        raise UsageError(f"{folder}: no C or C++ source differs in {revisions}")
    for change in changes:
        for line in [f"# {change.name}", *_lines(change, files=files)]:
            echo(printable(line))


def _lines(change: ChangedFile, *, files: bool) -> list[str]:
    if files or change.is_elsewhere:
        return [str(Pattern(FILE, change.name))]
    names = change.functions if change.is_c else map(mangled, change.functions)
    return [str(Pattern(FUNCTION, name)) for name in names]
