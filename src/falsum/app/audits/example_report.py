"""Examples as files and in the summary."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from falsum.app.terminal import echo
from falsum.audits.examples import Example
from falsum.printable import on_one_line
from falsum.store import atomic

FOLDER: Final = "small"


def report_examples(examples: Iterable[Example], out: Path, *, err: bool) -> None:
    """Write each example to a file, and print what is known of it."""
    for example in examples:
        row = example.row
        echo(f"\nexample of {row.label}: {on_one_line(row.query)}, check {row.check}, {row.about}", err=err)
        note = f"  {example.small.note}"
        if example.small.text:
            file = out / FOLDER / f"{row.label}-{_digest(example.small.text)}.smt2"
            file.parent.mkdir(parents=True, exist_ok=True)
            atomic.write_file(file, example.small.text)
            note += f": {file}"
        echo(note, err=err)
        first = example.first
        echo(f"  {first}" if first else "  no first release found among those on this machine", err=err)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:8]
