"""Names in a store, which may be somebody else's: they stay beneath its folder, and lead nowhere."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from falsum.errors import SurroundingsError

# The folder with a folder for each finding.
FINDINGS: Final = "findings"


def is_folder_name(name: str) -> bool:
    """Whether a name stays where findings are."""
    return bool(name) and Path(name).name == name and name != ".." and "\0" not in name


def expect_no_link(path: Path) -> None:
    """SurroundingsError for a symbolic link, which could lead anywhere."""
    if path.is_symlink():
        raise SurroundingsError(f"{path}: symbolic links in a store are not followed")
