"""`falsum findings set`: sets the state of findings."""

from __future__ import annotations

from pathlib import Path

import click

from falsum.app import completions, options
from falsum.app.finding_paths import folder_of
from falsum.app.report import files
from falsum.app.terminal import echo
from falsum.campaign.triage import result
from falsum.errors import UsageError
from falsum.store.states import FindingState, note_change, state_of


@click.command("set")
@click.argument("names", nargs=-1, required=True, metavar="FINDING...", shell_complete=completions.findings)
@click.argument("state", type=click.Choice([str(state) for state in FindingState]), metavar="STATE")
@options.out
@click.option("--url", metavar="URL", default="", help="Where it is reported.")
@click.option("--release", metavar="R", default="", help="Release that fixed it, or that shows it again.")
@click.option("--commit", metavar="REV", default="", help="The same as --release, for a commit.")
@click.option("--note", metavar="TEXT", default="", help="Remark to keep with the change.")
@options.plugin
def command(
    names: tuple[str, ...], state: str, out: Path, url: str, release: str, commit: str, note: str
) -> None:
    """Set the state of findings.

    STATE is new, triaged, confirmed, reported (with --url), fixed (with --release or --commit), back (again),
    obsolete or not-a-bug. Earlier states are kept; a state survives --resume, triage --again and merge.
    """
    new_state = FindingState(state)
    folders = [folder_of(name, out) for name in names]
    if new_state is FindingState.REPORTED and not url:
        raise UsageError("reported needs --url: where is the report?")
    if (release or commit) and new_state not in {FindingState.FIXED, FindingState.BACK}:
        raise UsageError("--release and --commit go with fixed and back only")
    note_change(folders, new_state, url=url, release=release, commit=commit, note=note)
    for folder in folders:
        is_triaged = result.read(folder) is not None
        if is_triaged:
            files.write(folder)
        echo(f"{folder.name}: {state_of(folder, is_triaged=is_triaged).text}")
