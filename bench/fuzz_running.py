"""Runs `falsum fuzz` for the other benches and reads its events."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
CODE = "from falsum.app.main import main\nif __name__ == '__main__': main()"


def start(out: str, *arguments: str, core: int | None = None) -> subprocess.Popen[str]:
    """A run under way, on one core if it is named; its events come on its standard output."""
    return subprocess.Popen(
        [*on_core(core), sys.executable, "-c", CODE, "fuzz", "--json", "--out", out, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
    )


def events(process: subprocess.Popen[str]) -> list[dict[str, Any]]:
    """All events of a run, when it has ended."""
    said, _ = process.communicate()
    return [json.loads(line) for line in said.splitlines()]


def fuzz(out: str, *arguments: str, core: int | None = None) -> dict[str, Any]:
    """The last event of a run."""
    return events(start(out, *arguments, core=core))[-1]


def on_core(core: int | None) -> list[str]:
    return [] if core is None else ["taskset", "-c", str(core)]
