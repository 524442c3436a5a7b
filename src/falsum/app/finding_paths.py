"""Where a finding that somebody names on the command line is kept."""

from __future__ import annotations

from pathlib import Path

from falsum.errors import UsageError
from falsum.store import finding_folder
from falsum.store.reader import Reading
from falsum.store.schema import FILE_NAME
from falsum.store.store import FINDINGS


def is_home(name: str) -> bool:
    """Whether it is the folder of a finding."""
    return (Path(name) / finding_folder.RECORD_NAME).is_file()


def home_of(name: str, out: Path) -> Path:
    """The folder of a finding, named by the folder itself or as the store in `out` names it."""
    if is_home(name):
        return Path(name)
    if Path(name).exists():
        raise UsageError(f"{name}: no finding: there is no {finding_folder.RECORD_NAME} in it")
    if not (out / FILE_NAME).is_file():
        raise UsageError(f"{name}: no such file or folder, nor a campaign in {out} that has it")
    with Reading(out) as store:
        return out / FINDINGS / store.finding(name).folder
