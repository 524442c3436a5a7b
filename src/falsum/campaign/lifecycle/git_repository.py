"""GitRepository: commits of the user's repository, and a worktree that is falsum's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from falsum.campaign.triage.result import CommitRecord
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.supervision.tool import ToolResult, run_tool

_SECONDS: Final = 600.0
# The user's hooks are not run for falsum's worktree.
_GIT: Final = ("git", "-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false")
_DIFF: Final = ("diff", "--no-color", "--no-ext-diff", "--no-renames")
_FIELDS: Final = "%H%x00%an%x00%aI%x00%s"


class GitRepository:
    """The repository that a folder is in; its own checkout is never touched."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        git_folder = self._git("rev-parse", "--path-format=absolute", "--git-common-dir")
        if git_folder.status:
            raise UsageError(f"{folder}: not a git repository: {git_folder.last_line}")
        self.identity = git_folder.output.strip()

    def commit(self, revision: str) -> CommitRecord:
        """The commit that a revision means; UsageError if there is none."""
        output = self._git(
            "log", "-1", f"--format={_FIELDS}", "--end-of-options", f"{revision}^{{commit}}", "--"
        )
        if output.status:
            raise UsageError(f"{self.folder}: no commit {revision!r}")
        name, author, date, subject = output.output.rstrip("\n").split("\0")
        return CommitRecord(name, date, subject, author)

    def is_ancestor(self, older: str, newer: str) -> bool:
        return self._git("merge-base", "--is-ancestor", older, newer).status == 0

    def tag_of(self, release: str, product: str) -> str:
        """The tag of a release as projects usually name it; "" if there is none."""
        names = [release]
        while names[-1].endswith(".0") and names[-1].count(".") > 1:  # wheels are 4.8.10.0, tags z3-4.8.10
            names.append(names[-1].removesuffix(".0"))
        for name in names:
            for tag in (name, f"v{name}", f"{product}-{name}"):
                if self._git("rev-parse", "--verify", "--quiet", f"refs/tags/{tag}").status == 0:
                    return tag
        return ""

    def changed_files(self, revisions: str, patterns: Sequence[str]) -> list[str]:
        """The files of some kinds that differ between two commits and are in the newer one."""
        output = self._git(
            *_DIFF,
            "--name-only",
            "-z",
            "--diff-filter=d",
            "--end-of-options",
            revisions,
            "--",
            *(f":/{pattern}" for pattern in patterns),
        )
        if output.status:
            raise UsageError(f"{self.folder}: {revisions}: {output.last_line}")
        return [name for name in output.output.split("\0") if name]

    def diff(self, revisions: str, name: str) -> str:
        """The difference of a file without context."""
        return self._git(*_DIFF, "-U0", "--end-of-options", revisions, "--", f":/{name}").output

    def text(self, revision: str, name: str) -> str:
        return self._git("show", "--end-of-options", f"{revision}:{name}").output

    def _git(self, *arguments: str) -> ToolResult:
        return run_tool((*_GIT, "-C", str(self.folder), *arguments), _SECONDS)


class Worktree:
    """A checkout of falsum's own, in which commits are built and `git bisect` keeps its state."""

    def __init__(self, repository: GitRepository, folder: Path) -> None:
        self._repository = repository
        self.folder = folder
        if self._git("rev-parse", "--is-inside-work-tree").status or not (folder / ".git").is_file():
            repository._git("worktree", "prune")  # noqa: SLF001 - the same module
            output = repository._git("worktree", "add", "--detach", "--force", str(folder))  # noqa: SLF001
            if output.status:
                raise SurroundingsError(f"git cannot make a worktree: {output.last_line}")

    def checkout(self, commit: str) -> None:
        output = self._git("checkout", "--force", "--detach", commit)
        if output.status:
            raise SurroundingsError(f"git cannot check out {commit}: {output.last_line}")

    def start_bisect(self, older: str, newer: str) -> ToolResult:
        """Start `git bisect` without checking anything out; an earlier bisection is abandoned."""
        self._git("bisect", "reset")
        terms = ("--term-old=older", "--term-new=newer")
        return self._git("bisect", "start", "--no-checkout", *terms, newer, older)

    def mark(self, term: str) -> ToolResult:
        """Mark the current commit as older, newer or skip."""
        return self._git("bisect", term)

    def question(self) -> str:
        """The commit that `git bisect` wants tested."""
        return self._git("rev-parse", "BISECT_HEAD").output.strip()

    def remove(self) -> None:
        self._git("bisect", "reset")
        self._repository._git("worktree", "remove", "--force", str(self.folder))  # noqa: SLF001

    def _git(self, *arguments: str) -> ToolResult:
        if not self.folder.is_dir():
            return ToolResult(1, "no worktree")
        return run_tool((*_GIT, *arguments), _SECONDS, self.folder)
