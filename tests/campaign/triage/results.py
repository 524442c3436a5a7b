"""Findings whose triage is forgotten."""

from __future__ import annotations

import shutil
from pathlib import Path

from falsum.campaign.triage import result


def forget(folder: Path) -> None:
    """Remove what triage added."""
    for name in result.ALL:
        (folder / name).unlink(missing_ok=True)
    for name in (result.LEAK, result.ASKED):
        shutil.rmtree(folder / name, ignore_errors=True)
