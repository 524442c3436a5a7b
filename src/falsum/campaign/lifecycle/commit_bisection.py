"""Bisects a finding over the commits of a repository: `git bisect` with builds and answers that are kept.

Builds and answers are reused, so that an interrupted search can resume.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
import platformdirs

from falsum.campaign.lifecycle.builds import BuildCommand, Builds
from falsum.campaign.lifecycle.finding_check import FindingCheck
from falsum.campaign.lifecycle.git_repository import GitRepository, Worktree
from falsum.campaign.triage.releases import ReleaseRow
from falsum.campaign.triage.result import CommitRecord
from falsum.defects.targets.standing import Standing
from falsum.errors import SurroundingsError, UsageError
from falsum.solvers.profiles import Profile
from falsum.solvers.solver import Solver
from falsum.solvers.zoo import Origin, Release, version_of
from falsum.store import atomic

_FOUND: Final = re.compile(r"^([0-9a-f]{40,64}) is the first newer commit", re.MULTILINE)
_CANDIDATE: Final = re.compile(r"^([0-9a-f]{40,64})$", re.MULTILINE)
_SHORT: Final = 12
NOT_BUILT: Final = "does not build"


class CommitBisection(msgspec.Struct, frozen=True):
    """`commit` introduced or fixed the bug; None if only skipped commits are left.

    `rows` are the commits that were built and asked, in the order of the search; `candidates` are the
    possible ones if `commit` is None.
    """

    commit: CommitRecord | None
    rows: tuple[ReleaseRow, ...]
    candidates: tuple[CommitRecord, ...] = ()

    @property
    def text(self) -> str:
        if self.commit is not None:
            word = "fixed by" if self.commit.is_fix else "first bad commit"
            return f"{word}: {self.commit}"
        names = ", ".join(commit.name[:_SHORT] for commit in self.candidates)
        return f"one of {len(self.candidates)} commits, which could not all be tested: {names}"


def default_cache() -> Path:
    return Path(platformdirs.user_cache_dir("falsum")) / "builds"


class CommitSearch:
    """A repository, a build command and a check; every commit is built and asked at most once."""

    def __init__(
        self,
        repository: GitRepository,
        command: BuildCommand,
        check: FindingCheck,
        profile: Profile,
        key: str,
        *,
        cache: Path | None = None,
        tell: Callable[[ReleaseRow], None] | None = None,
    ) -> None:
        self._repository = repository
        self._command = command
        self._check = check
        self._profile = profile
        name = hashlib.sha256(repository.identity.encode()).hexdigest()[:12]
        self._folder = (cache or default_cache()) / f"{name}-{command.digest}"
        digest = hashlib.sha256(key.encode(errors="surrogateescape")).hexdigest()[:16]
        self._answers = _Answers(self._folder / f"answers-{digest}.json")
        self._tell = tell or (lambda _row: None)
        self._rows: list[ReleaseRow] = []

    def run(self, good: str, bad: str) -> CommitBisection:
        """Look for the commit between one that does not show the finding and one that does."""
        ends = {rev: self._repository.commit(rev) for rev in (good, bad)}
        is_fix = self._repository.is_ancestor(ends[bad].name, ends[good].name)
        if not is_fix and not self._repository.is_ancestor(ends[good].name, ends[bad].name):
            raise UsageError(f"{good} and {bad} are not on one line of history; give another --good or --bad")
        with self._worktree() as worktree:
            builds = Builds(self._folder, self._command, worktree)
            self._expect(builds, good, ends[good].name, Standing.GOOD)
            self._expect(builds, bad, ends[bad].name, Standing.BAD)
            older, newer = (bad, good) if is_fix else (good, bad)
            bisection = self._search(builds, worktree, ends[older].name, ends[newer].name, is_fix=is_fix)
            worktree.remove()
        return bisection

    def built(self, revision: str) -> Solver:
        """The solver of a revision; UsageError if it does not build."""
        with self._worktree() as worktree:
            builds = Builds(self._folder, self._command, worktree)
            commit = self._repository.commit(revision).name
            if (build := builds.get(commit)) is None:
                raise _not_built(revision, builds.log(commit))
            return self._solver(commit, build)

    @contextmanager
    def _worktree(self) -> Iterator[Worktree]:
        """The worktree of this cache; a second search with it is refused."""
        self._folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(self._folder / "lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            atomic.remove_scratch(self._folder)
            yield Worktree(self._repository, self._folder / "worktree")
        except BlockingIOError:
            raise SurroundingsError(f"{self._folder}: another falsum process bisects here") from None
        finally:
            os.close(lock)

    def _search(
        self, builds: Builds, worktree: Worktree, older: str, newer: str, *, is_fix: bool
    ) -> CommitBisection:
        output = worktree.start_bisect(older, newer)
        terms = {Standing.BAD: "older" if is_fix else "newer", Standing.GOOD: "newer" if is_fix else "older"}
        while (match := _FOUND.search(output.output)) is None:
            if output.status:
                names = _CANDIDATE.findall(output.output)
                if not names:
                    raise SurroundingsError(f"git bisect failed: {output.last_line}")
                return CommitBisection(None, tuple(self._rows), tuple(map(self._repository.commit, names)))
            standing = self._standing(builds, worktree.question())
            output = worktree.mark(terms.get(standing, "skip"))
        commit = self._repository.commit(match[1])
        return CommitBisection(msgspec.structs.replace(commit, is_fix=is_fix), tuple(self._rows))

    def _expect(self, builds: Builds, revision: str, commit: str, expected: Standing) -> None:
        standing = self._standing(builds, commit)
        if standing is expected:
            return
        row = self._rows[-1]
        if row.said == NOT_BUILT:
            raise _not_built(revision, builds.log(commit))
        word = "does not show it" if expected is Standing.BAD else "shows it as well"
        if standing.decided:
            option = "--bad" if expected is Standing.BAD else "--good"
            raise UsageError(f"{revision} {word} ({row.said}); give another {option}")
        raise UsageError(f"{revision} cannot be tested: {standing}: {row.said}")

    def _standing(self, builds: Builds, commit: str) -> Standing:
        row = self._answers.get(commit)
        if row is None:
            build = builds.get(commit)
            if build is None:
                row = ReleaseRow(commit[:_SHORT], Standing.MISSING, NOT_BUILT)
            else:
                answer = self._check.row(self._solver(commit, build))
                row = msgspec.structs.replace(answer, release=commit[:_SHORT])
            self._answers.put(commit, row)
        self._rows.append(row)
        self._tell(row)
        return row.standing

    def _solver(self, commit: str, build: Path) -> Solver:
        product, name = self._profile.product, f"{self._profile.product}@{commit[:_SHORT]}"
        if build.is_dir():
            return Solver(name, self._profile, Release(product, "", Origin.FILE, folder=str(build)))
        version = version_of(self._profile, str(build)) if self._profile.packages else ""
        return Solver(name, self._profile, Release(product, version, Origin.FILE, program=str(build)))


def _not_built(revision: str, log: str) -> UsageError:
    last = next((line for line in reversed(log.splitlines()[:-1]) if line.strip()), "no output")
    return UsageError(
        f"{revision} does not build, or makes no program (name it with --program): {last.strip()}"
    )


class _Answers:
    """The results by commit, in a file; undecided ones are tried again by the next search."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, ReleaseRow] = {}
        try:
            self._known = msgspec.json.decode(file.read_bytes(), type=dict[str, ReleaseRow])
        except FileNotFoundError:
            pass
        except (OSError, msgspec.DecodeError):
            file.unlink(missing_ok=True)  # written by another release of falsum, or unreadable

    def get(self, commit: str) -> ReleaseRow | None:
        return self._known.get(commit)

    def put(self, commit: str, row: ReleaseRow) -> None:
        if row.standing.decided or row.standing is Standing.MISSING:
            self._known[commit] = row
            self._file.parent.mkdir(parents=True, exist_ok=True)
            atomic.write_file(self._file, msgspec.json.encode(self._known))
