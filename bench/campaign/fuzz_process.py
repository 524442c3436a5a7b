"""Runs `falsum fuzz` for the commands of this folder and reads its events."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
CODE = "from falsum.app.main import main\nif __name__ == '__main__': main()"


def start(out: str, *arguments: str, core: int | None = None) -> subprocess.Popen[str]:
    """Start a campaign, on one core if it is given; its events come on its standard output."""
    return subprocess.Popen(
        [*on_core(core), sys.executable, "-c", CODE, "fuzz", "--json", "--out", out, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
    )


def events(process: subprocess.Popen[str]) -> list[dict[str, Any]]:
    """Wait for a campaign and return all its events."""
    output, _ = process.communicate()
    return [json.loads(line) for line in output.splitlines()]


def fuzz(out: str, *arguments: str, core: int | None = None) -> dict[str, Any]:
    """Run a campaign and return its last event."""
    return events(start(out, *arguments, core=core))[-1]


def on_core(core: int | None) -> list[str]:
    return [] if core is None else ["taskset", "-c", str(core)]
