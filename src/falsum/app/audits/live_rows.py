"""LiveRows: the rows of a command that still runs, in a file that others may read."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from falsum.app.audits.row_formats import json_line
from falsum.audits.rows import AnyRow
from falsum.audits.run import RunProgress

COMMANDS: Final = ("audit", "upgrade", "stability")
_PROGRESS: Final = "progress"
_EVERY_SECONDS: Final = 0.5
# The last line about progress is among the last so many bytes.
_TAIL: Final = 1 << 16


def rows_file(out: Path, command: str) -> Path:
    """The file with the rows of a command that has ended."""
    return out / f"{command}.jsonl"


def live_file(out: Path, command: str) -> Path:
    """The file with the rows of a command that is running or was interrupted."""
    return out / f"{command}.partial.jsonl"


class LiveRows:
    """Rows as they come, and lines about progress between them."""

    def __init__(self, out: Path, command: str) -> None:
        self._path = live_file(out, command)
        self._file = self._path.open("w", encoding="utf-8")
        self._said = 0.0

    def add(self, rows: Sequence[AnyRow], progress: RunProgress) -> None:
        self._file.writelines(f"{json_line(row)}\n" for row in rows)
        if time.monotonic() - self._said > _EVERY_SECONDS or progress.done == progress.total:
            self._said = time.monotonic()
            self._file.write(json.dumps({_PROGRESS: str(progress)}) + "\n")
            self._file.flush()

    def end(self) -> None:
        """Called when all rows are in the final file."""
        self._path.unlink(missing_ok=True)

    def close(self) -> None:
        self._file.close()


def last_progress(file: Path) -> str:
    """The progress of the command that writes a file, in words; "" if the file does not tell."""
    with file.open("rb") as stream:
        stream.seek(max(0, file.stat().st_size - _TAIL))
        lines = stream.read().decode(errors="replace").splitlines()
    for line in reversed(lines):
        if line.startswith(f'{{"{_PROGRESS}": ') and line.endswith("}"):
            return str(json.loads(line)[_PROGRESS])
    return ""


def is_of_audits(folder: Path) -> bool:
    """Whether a directory holds the answers and rows of audits."""
    return any(
        file.exists()
        for command in COMMANDS
        for file in (live_file(folder, command), rows_file(folder, command))
    )
