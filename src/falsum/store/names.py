"""Names in a store, which may be untrusted: they must stay inside its folder and be no links."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from falsum.errors import SurroundingsError

# The folder with a folder for each finding.
FINDINGS: Final = "findings"


def is_folder_name(name: str) -> bool:
    """Whether a name is a plain folder name, without a path."""
    return bool(name) and Path(name).name == name and name != ".." and "\0" not in name


def expect_no_link(path: Path) -> None:
    """Raise SurroundingsError for a symbolic link, which could lead anywhere."""
    if path.is_symlink():
        raise SurroundingsError(f"{path}: symbolic links in a store are not followed")
