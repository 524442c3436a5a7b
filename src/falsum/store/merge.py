"""Merges stores: findings of several machines, with their states and the results of triage."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from falsum.errors import SurroundingsError, UsageError
from falsum.store import atomic, finding_folder
from falsum.store.reader import StoreReader
from falsum.store.records import StoreContents
from falsum.store.states import read_life, write_life
from falsum.store.store import FINDINGS, Store


@dataclass(frozen=True, slots=True)
class MergeResult:
    """The number of findings in the other store, and the number of those that were new in this one."""

    findings: int
    new: int


def merge_store(store: Store, source: Path) -> MergeResult:
    """Take over the findings of the store in a folder."""
    if source.resolve() == store.folder.resolve():
        raise UsageError(f"{source}: a store cannot be merged into itself")
    with StoreReader(source) as reader:
        contents = reader.contents()
    return merge_contents(store, contents, source / FINDINGS)


def merge_contents(store: Store, contents: StoreContents, source: Path) -> MergeResult:
    """Take over findings whose folders are in `source`.

    Folders come first, as when a campaign records: one without a row does no harm. An existing folder keeps
    its files and gets those that it lacks; the states of both are merged by time.
    """
    folders = {}
    for one in contents.findings:
        if Path(one.folder).name != one.folder:
            raise SurroundingsError(f"{source}: {one.folder!r} is not the name of a finding's folder")
        record = finding_folder.read(source / one.folder)
        if record.signature != one.signature or finding_folder.name_of(record) != one.folder:
            raise SurroundingsError(f"{source / one.folder}: the folder is named after another finding")
        _take_folder(source / one.folder, store.folder / FINDINGS / one.folder)
        folders[one.signature] = one.folder
    return MergeResult(len(folders), store.absorb(contents, folders))


def _take_folder(source: Path, target: Path) -> None:
    if any(path.is_symlink() for path in (source, *source.rglob("*"))):
        raise SurroundingsError(f"{source}: symbolic links are not taken over")
    try:
        if not target.exists():
            with atomic.new_folder(target) as scratch:
                shutil.copytree(source, scratch, dirs_exist_ok=True)
            return
        for path in sorted(source.rglob("*")):
            copy = target / path.relative_to(source)
            if path.is_dir():
                copy.mkdir(exist_ok=True)
            elif not copy.exists():
                shutil.copy2(path, copy)
    except OSError as error:
        raise SurroundingsError(f"{target}: {error}") from error
    mine, other = read_life(target), read_life(source)
    if (merged_folder := mine.merged(other)) != mine:
        write_life(target, merged_folder)
