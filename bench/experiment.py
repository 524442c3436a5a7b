"""Experiments that can be interrupted: every result is kept as soon as it is there, and none is made twice.

An experiment is a list of units of work. The results are JSON lines in a directory; the next run skips the
units that are there. Its outcome is a Markdown file with a table and a chart.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from falsum.version import __version__

Unit = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Record:
    """A unit of work with its result."""

    unit: Unit
    result: dict[str, Any]


class Experiment:
    """The results of one experiment, in `DIRECTORY/NAME.jsonl`."""

    def __init__(self, directory: Path, name: str) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.directory, self.name = directory, name
        self._file = directory / f"{name}.jsonl"
        self._done = {_key(record.unit): record for record in self._read()}

    def records(self) -> list[Record]:
        """All results that are there."""
        return list(self._done.values())

    def run(self, units: Iterable[Unit], measure: Callable[[Unit], dict[str, Any]]) -> list[Record]:
        """The results of these units, in their order; those that are there already are not measured again."""
        wanted = list(units)
        missing = sum(_key(unit) not in self._done for unit in wanted)
        if missing:
            print(f"{self.name}: {len(wanted) - missing} of {len(wanted)} units done", file=sys.stderr)
        started, done = time.monotonic(), 0
        for unit in wanted:
            if _key(unit) in self._done:
                continue
            record = Record(unit, measure(unit))
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"unit": unit, "result": record.result}) + "\n")
            self._done[_key(unit)] = record
            done += 1
            each = (time.monotonic() - started) / done
            left = (missing - done) * each
            print(f"  {done} of {missing}, {left / 60:.0f} min left: {unit}", file=sys.stderr, flush=True)
        return [self._done[_key(unit)] for unit in wanted]

    def write(
        self,
        title: str,
        heading: Sequence[str],
        rows: Iterable[Sequence[object]],
        *,
        note: str = "",
        chart: Callable[[Path], None] | None = None,
    ) -> str:
        """Write `NAME.md` with a table, and `NAME.svg` with a chart; returns the text."""
        lines = [f"## {title}", "", *([note, ""] if note else []), *table(heading, rows), ""]
        if chart is not None:
            drawing = self._file.with_suffix(".svg")
            chart(drawing)
            lines += [f"![{title}]({drawing.name})", ""]
        lines += [machine()]
        text = "\n".join(lines) + "\n"
        self._file.with_suffix(".md").write_text(text, encoding="utf-8")
        return text

    def _read(self) -> Iterable[Record]:
        if not self._file.exists():
            return
        text = self._file.read_text(encoding="utf-8")
        whole, _, torn = text.rpartition("\n")
        if torn:  # killed while it wrote the last line
            self._file.write_text(f"{whole}\n" if whole else "", encoding="utf-8")
        for line in whole.splitlines():
            said = json.loads(line)
            yield Record(said["unit"], said["result"])


def _key(unit: Unit) -> str:
    return json.dumps(unit, sort_keys=True)


def table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """A table in Markdown."""
    lines = [heading, ["---"] * len(heading), *rows]
    return [f"| {' | '.join(str(cell).replace('|', '/') for cell in line)} |" for line in lines]


def machine() -> str:
    """Where and when something was measured."""
    cores = len(os.sched_getaffinity(0))
    day = time.strftime("%Y-%m-%d", time.gmtime())
    return (
        f"{day}, falsum {__version__}, Python {platform.python_version()}, {platform.system()} "
        f"{platform.machine()}, {cores} cores, load {os.getloadavg()[0]:.1f}."
    )
