"""Lines, functions and branches that runs of a program built with coverage (GCC) have reached."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Reached:
    """What is there, and what was reached: keys name a file and a place in it."""

    lines: dict[tuple[str, int], bool] = field(default_factory=dict)
    functions: dict[tuple[str, str], bool] = field(default_factory=dict)
    branches: dict[tuple[str, int, int], bool] = field(default_factory=dict)

    def counts(self) -> dict[str, int]:
        """Reached and all, by kind."""
        found = {}
        for name in ("lines", "functions", "branches"):
            places = getattr(self, name)
            found[name] = sum(places.values())
            found[f"all_{name}"] = len(places)
        return found


def reached(build: Path, data: Path, within: str) -> Reached:
    """What the data below DATA covers of all objects of a build whose path has `within`.

    A program that ran with `GCOV_PREFIX=DATA` wrote the counts of `/build/x.gcda` to `DATA/build/x.gcda`.
    """
    gcov = shutil.which("gcov")
    if gcov is None:
        raise SystemExit("gcov is needed to count coverage; it comes with GCC")
    total = Reached()
    notes = sorted(file for file in build.rglob("*.gcno") if within in str(file))
    if not notes:
        raise SystemExit(f"{build}: no notes of the compiler (.gcno); build it with --coverage")
    for note in notes:
        place = data / note.parent.relative_to("/")
        place.mkdir(parents=True, exist_ok=True)
        link = place / note.name
        if not link.is_symlink():
            link.symlink_to(note)
        ran = subprocess.run(
            [gcov, "--branch-probabilities", "--json-format", "--stdout", str(link)],
            cwd=place,
            capture_output=True,
            check=False,
        )
        for row in ran.stdout.splitlines():
            _add(json.loads(row), total, within)
    return total


def _add(said: dict[str, Any], total: Reached, within: str) -> None:
    """Add one object; a line of a header is reached if it is in any object."""
    for file in said["files"]:
        name = os.path.normpath(Path(said["current_working_directory"], file["file"]))
        if name.startswith("/usr/") or "/subprojects/" in name or within not in name:
            continue
        for line in file["lines"]:
            key = (name, line["line_number"])
            total.lines[key] = total.lines.get(key, False) or line["count"] > 0
            for number, branch in enumerate(line["branches"]):
                if not branch["throw"]:
                    arm = (*key, number)
                    total.branches[arm] = total.branches.get(arm, False) or branch["count"] > 0
        for function in file["functions"]:
            one = (name, function["name"])
            total.functions[one] = total.functions.get(one, False) or function["execution_count"] > 0
