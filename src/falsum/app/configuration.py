"""Reads the configuration of a command, and warns when a file names programs for the first time."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import platformdirs

from falsum.app.terminal import echo
from falsum.campaign import config
from falsum.campaign.config import Config

# Has a line for each configuration, with its programs, that the user has been told of.
_TOLD: Final = "configurations"


def read_config(file: Path | None = None) -> Config:
    """The configuration in a file, or in `falsum.toml` here."""
    read = config.read(file)
    programs = read.programs
    place = (file or Path(config.FILE_NAME)).absolute()
    if programs and _is_new(place, programs):
        echo(f"falsum: {place} names programs, which are run from now on: {', '.join(programs)}", err=True)
    return read


def _is_new(place: Path, programs: tuple[str, ...]) -> bool:
    """Whether this file names these programs for the first time, which is remembered."""
    digest = hashlib.sha256("\0".join((str(place), *programs)).encode(errors="surrogateescape")).hexdigest()
    memory = platformdirs.user_state_path("falsum") / _TOLD
    try:
        if memory.exists() and digest in memory.read_text().split():
            return False
        memory.parent.mkdir(parents=True, exist_ok=True)
        with memory.open("a") as lines:
            lines.write(f"{digest}\n")
    except OSError:  # no home, or a read-only one: it is said every time
        pass
    return True
