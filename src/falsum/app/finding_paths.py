"""The folder of a finding that a command line names."""

from __future__ import annotations

from pathlib import Path

from falsum.errors import UsageError
from falsum.store import finding_folder
from falsum.store.reader import StoreReader
from falsum.store.schema import FILE_NAME
from falsum.store.store import FINDINGS


def folder_of(name: str, out: Path) -> Path:
    """The folder of a finding, given by its path or by its name in the store in `out`."""
    if (Path(name) / finding_folder.RECORD_NAME).is_file():
        return Path(name)
    if Path(name).exists():
        raise UsageError(f"{name}: not a finding: it contains no {finding_folder.RECORD_NAME}")
    if not (out / FILE_NAME).is_file():
        raise UsageError(f"{name}: no such file or folder, and no campaign in {out}")
    with StoreReader(out) as store:
        return out / FINDINGS / store.finding(name).folder
