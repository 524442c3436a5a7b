"""The directory of a run: whether it is full, and how to remove it.

Loaded by the supervisor, which runs without falsum on its path.
"""

# ruff: noqa: PTH101, PTH104, PTH106, PTH108 (the supervisor removes thousands of directories)
from __future__ import annotations

import contextlib
import os

# Files that a run may have at once, and bytes in them.
MOST_ENTRIES = 2000
MOST_BYTES = 256 << 20


def is_full(directory: str) -> bool:
    """Whether a directory has more files, or larger ones, than a run may have."""
    entries = size = 0
    todo = [directory]
    while todo:
        with contextlib.suppress(OSError), os.scandir(todo.pop()) as scan:
            for entry in scan:
                entries += 1
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
                else:
                    size += entry.stat(follow_symlinks=False).st_size
                if entries > MOST_ENTRIES or size > MOST_BYTES:
                    return True
    return False


def remove(directory: str) -> None:
    """Remove a directory, however deep it is, even if a program has removed its own permissions there.

    Deep folders are moved to the top before they are emptied, so no path is ever long. Files left behind are
    better than a dead supervisor; falsum tries again when it closes.
    """
    token, count = os.urandom(6).hex(), 0
    todo = [directory]
    emptied = []
    while todo:
        place = todo.pop()
        emptied.append(place)
        with contextlib.suppress(OSError):
            os.chmod(place, 0o700)
            with os.scandir(place) as entries:
                names = list(entries)
            for entry in names:
                with contextlib.suppress(OSError):
                    if not entry.is_dir(follow_symlinks=False):
                        os.unlink(entry.path)
                        continue
                    inner = entry.path
                    os.chmod(inner, 0o700)  # where it is moved, its ".." is written
                    if place != directory:
                        count += 1
                        inner = f"{directory}/{token}-{count}"
                        os.rename(entry.path, inner)
                    todo.append(inner)
    for place in reversed(emptied):
        with contextlib.suppress(OSError):
            os.rmdir(place)
