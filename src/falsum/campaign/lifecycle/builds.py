"""Builds: programs or libraries made from commits by a build command, each built once and kept."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from falsum.campaign.lifecycle.git_repository import Worktree
from falsum.solvers.supervision.tool import run_tool
from falsum.store import atomic

# The variable that names the folder a build command may install into; it is kept.
VARIABLE: Final = "FALSUM_BUILD"
_LOG: Final = "build.log"
_PLACES: Final = (".", "bin", "build", "build/bin")


@dataclass(frozen=True, slots=True)
class BuildCommand:
    """`line` is run by the shell in the worktree; `product` is the path of what it makes, there or in
    the folder to install into. Without a path, one of the names is looked for in the usual places.
    """

    line: str
    product: str = ""
    names: Sequence[str] = ()
    seconds: float = 7200.0

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.line}\0{self.product}".encode()).hexdigest()[:16]

    def find(self, *folders: Path) -> Path | None:
        """The program or library that was built, in one of the folders."""
        places = [self.product] if self.product else [f"{p}/{name}" for p in _PLACES for name in self.names]
        files = (folder / place for folder in folders for place in places)
        return next((path for path in files if path.exists() and (self.product or path.is_file())), None)


class Builds:
    """The builds of one repository by one command, by commit; failed ones are remembered, too."""

    def __init__(self, folder: Path, command: BuildCommand, worktree: Worktree) -> None:
        self._folder = folder
        self._command = command
        self._worktree = worktree

    def get(self, commit: str) -> Path | None:
        """The program or library of a commit, built if necessary; None if it does not build."""
        build_folder = self._folder / commit
        if not build_folder.is_dir():
            self._build(commit, build_folder)
        return self._command.find(build_folder)

    def log(self, commit: str) -> str:
        """What the build command printed."""
        try:
            return (self._folder / commit / _LOG).read_text(errors="replace")
        except OSError:
            return ""

    def _build(self, commit: str, build_folder: Path) -> None:
        """Build in the worktree; what an earlier build left under the same name is removed first."""
        self._worktree.checkout(commit)
        stale = self._command.find(self._worktree.folder)
        if stale is not None and stale.is_file():
            stale.unlink()
        with atomic.new_folder(build_folder) as scratch:
            result = run_tool(
                ("sh", "-c", self._command.line),
                self._command.seconds,
                self._worktree.folder,
                {VARIABLE: str(scratch)},
            )
            if result.status == 0:
                if self._command.find(scratch) is None:
                    self._keep(scratch)
            else:  # what a failed build left is no build
                for entry in scratch.iterdir():
                    shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
            (scratch / _LOG).write_text(f"{result.output}\nexit status {result.status}\n", errors="replace")

    def _keep(self, scratch: Path) -> None:
        program = self._command.find(self._worktree.folder)
        if program is None:
            return
        copy = scratch / program.relative_to(self._worktree.folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if program.is_dir():
            shutil.copytree(program, copy, symlinks=True)
        else:
            shutil.copy2(program, copy)
