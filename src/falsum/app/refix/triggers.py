"""Trigger: a script that showed a bug, the release said to have fixed it, and a release that showed it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from falsum.app import script_files
from falsum.errors import UsageError
from falsum.solvers.names import product_of

_TABLE: Final = ".tsv"
_TRIGGER: Final = "trigger"
_FIXED: Final = "fixed"
_BROKEN: Final = "broken"


@dataclass(frozen=True, slots=True)
class Trigger:
    """`fixed` and `broken` are releases, as `z3@5.4.0`; `broken` is "" if it has to be found."""

    name: str
    file: Path
    fixed: str
    broken: str = ""


def triggers_in(names: tuple[str, ...], fixed: str | None, broken: str | None) -> list[Trigger]:
    """The triggers in files, directories and tables; a table may name releases for each of them."""
    triggers = [one for name in names for one in _triggers(Path(name), fixed or "", broken or "")]
    for trigger in triggers:
        if not trigger.fixed:
            raise UsageError(f"{trigger.name}: name the release that has the fix: --fixed PRODUCT@RELEASE")
        if trigger.broken and product_of(trigger.broken) != product_of(trigger.fixed):
            raise UsageError(f"{trigger.name}: {trigger.broken} and {trigger.fixed} are different products")
    if not triggers:
        raise UsageError(f"no triggers in {', '.join(names)}: scripts end with .smt2 or .smt2.gz")
    return triggers


def _triggers(path: Path, fixed: str, broken: str) -> Iterator[Trigger]:
    if path.suffix == _TABLE:
        yield from _rows(path, fixed, broken)
        return
    for name in script_files.script_files([str(path)]):
        yield Trigger(Path(name).name.partition(".smt2")[0], Path(name), fixed, broken)


def _rows(table: Path, fixed: str, broken: str) -> Iterator[Trigger]:
    """The rows of a table with a column `trigger` and optional columns `fixed` and `broken`."""
    try:
        with table.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines, delimiter="\t"))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{table}: cannot be read: {error}") from error
    if rows and _TRIGGER not in rows[0]:
        raise UsageError(f"{table}: no column {_TRIGGER!r}; the first line names the columns, tabs between")
    for number, row in enumerate(rows, 2):
        file = table.parent / (row[_TRIGGER] or "")
        if not file.is_file():
            raise UsageError(f"{table}:{number}: {file} is not there")
        name = file.name.partition(".smt2")[0]
        yield Trigger(name, file, row.get(_FIXED) or fixed, row.get(_BROKEN) or broken)
