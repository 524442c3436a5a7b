"""A repository of a toy solver with 64 commits: one brings a bug, one fixes it, two do not build."""

from __future__ import annotations

import subprocess
from pathlib import Path

COMMITS, BUGGY, FIXED = 64, 23, 51
# The first is where `git bisect` looks first.
BROKEN = (20, 32)
BODIES = {
    "crash": "echo 'Assertion `n > 0` failed at toy.c:7' >&2; kill -ABRT $$",
    "verdict": "echo unsat",
    "slow": "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; echo sat",
    "unknown": "echo unknown",
}


def git(folder: Path, *arguments: str, date: str = "2026-01-01T00:00:00Z") -> str:
    environment = {
        "GIT_AUTHOR_NAME": "A. Toy", "GIT_AUTHOR_EMAIL": "toy@example.org", "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_NAME": "A. Toy", "GIT_COMMITTER_EMAIL": "toy@example.org", "GIT_COMMITTER_DATE": date,
        "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1",
    }  # fmt: skip
    result = subprocess.run(
        ["git", "-C", str(folder), *arguments], env=environment, capture_output=True, text=True, check=True
    )
    return result.stdout.strip()


def toy_repository(folder: Path, kind: str, broken: tuple[int, ...] = BROKEN) -> Path:
    """Commit number N has the subject `change N`; `make.sh` makes the program `build/toy`."""
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for number in range(1, COMMITS + 1):
        body = BODIES[kind] if BUGGY <= number < FIXED else "echo sat"
        make = f'mkdir -p build && cp toy.sh build/toy && echo {number} >> "$COUNTER"'
        (folder / "toy.sh").write_text(f"#!/bin/sh\n# change {number}\n{body}\n")
        (folder / "toy.sh").chmod(0o755)
        (folder / "make.sh").write_text("echo oops >&2; exit 1\n" if number in broken else f"{make}\n")
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", f"change {number}", date=f"2026-01-01T00:{number % 60:02}:00Z")
        git(folder, "tag", f"c{number}")
    return folder
