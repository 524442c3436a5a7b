"""The folders of findings named on a command line, and the programs that were named for their stores."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from falsum.campaign import named_programs
from falsum.errors import UsageError
from falsum.store import finding_folder
from falsum.store.reader import StoreReader
from falsum.store.schema import FILE_NAME
from falsum.store.store import FINDINGS
from falsum.trust import trust

if TYPE_CHECKING:
    from falsum.solvers.solver import Solver


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


def use_named_programs(folders: Iterable[Path], solvers: Iterable[Solver] = ()) -> None:
    """Trust the programs that command lines have named for the stores of findings, and remember those of this
    one.
    """
    names = tuple(solvers)
    trust(solver.name for solver in names)
    for store in {store for folder in folders if (store := _store_of(folder)) is not None}:
        named_programs.trust_named(store)
        named_programs.remember(store, names)


def _store_of(folder: Path) -> Path | None:
    """The store that a finding's folder belongs to; None if it is in none."""
    findings = folder.resolve().parent
    store = findings.parent
    return store if findings.name == FINDINGS and (store / FILE_NAME).is_file() else None
