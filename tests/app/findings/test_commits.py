"""`falsum bisect --git` on a toy repository: every symptom, broken commits, interruption."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from tests.app.findings.toy_repository import BUGGY, FIXED, git, toy_repository
from tests.app.report.example import RECORD, TRIAGE

from falsum.app.commands import bisect
from falsum.app.findings import commits
from falsum.campaign.lifecycle import builds, commit_bisection
from falsum.campaign.triage import result as triaged
from falsum.errors import UsageError
from falsum.store import finding_folder

SCRIPT = "(declare-const x Int)(assert (> x 3))(check-sat)"
BUILD = "sh make.sh"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(commit_bisection, "default_cache", lambda: tmp_path / "cache")
    monkeypatch.setenv("COUNTER", str(tmp_path / "built"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bug.smt2").write_text(SCRIPT)
    return tmp_path


def run(name: str, *more: str, good: str = "c1", bad: str = "c40") -> dict[str, Any]:
    asked = (name, "--git", "toy", "--build", BUILD, "--program", "build/toy", "--good", good, "--bad", bad)
    result = CliRunner().invoke(bisect.command, (*asked, *more, "--json"), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    shown: dict[str, Any] = json.loads(result.stdout)
    return shown


def built(here: Path) -> list[int]:
    """The commits that were built, in order."""
    return [int(line) for line in (here / "built").read_text().split()]


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("crash", ()),
        ("verdict", ("--expect", "sat")),
        ("slow", ("--slower-than", "0.2s")),
        ("unknown", ("--unknown",)),
    ],
)
def test_the_commit_is_found(here: Path, kind: str, options: tuple[str, ...]) -> None:
    toy = toy_repository(here / "toy", kind)
    (toy / "toy.sh").write_text("work in progress")
    before = git(toy, "status", "--porcelain"), git(toy, "rev-parse", "HEAD")
    shown = run("bug.smt2", *options)
    assert shown["commit"]["subject"] == f"change {BUGGY}"
    assert shown["commit"]["date"].startswith(f"2026-01-01T00:{BUGGY}:00")
    assert shown["commit"]["name"] == git(toy, "rev-parse", f"c{BUGGY}")
    assert not shown["commit"]["is_fix"]
    assert [row["said"] for row in shown["rows"]].count(commit_bisection.NOT_BUILT) == 1
    assert (git(toy, "status", "--porcelain"), git(toy, "rev-parse", "HEAD")) == before
    assert git(toy, "worktree", "list").count("\n") == 0
    fixed = run("bug.smt2", *options, good="c64")
    assert fixed["commit"]["is_fix"]
    assert fixed["commit"]["subject"] == f"change {FIXED}"


@pytest.mark.timeout(600)
def test_commits_that_cannot_be_told_apart(here: Path) -> None:
    toy_repository(here / "toy", "verdict", broken=(BUGGY - 1, 32))
    shown = run("bug.smt2", "--expect", "sat")
    assert shown["commit"] is None
    assert sorted(commit["subject"] for commit in shown["candidates"]) == ["change 22", "change 23"]


@pytest.mark.timeout(600)
def test_an_interrupted_search_of_a_finding_goes_on_and_is_reported(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No commit is built twice, not even by another search; the commit is in the report."""
    toy_repository(here / "toy", "verdict")
    home = finding_folder.write(here, RECORD)
    made = msgspec.structs.replace(TRIAGE, script=SCRIPT, product="generic", suspect="toy", bisection=None)
    triaged.write(home, triaged.TRIAGE, made)
    build = builds.Builds._build
    calls: list[str] = []

    def interrupted(self: builds.Builds, commit: str, kept: Path) -> None:
        build(self, commit, kept)
        calls.append(commit)
        if len(calls) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(builds.Builds, "_build", interrupted)
    with pytest.raises(AssertionError, match="Aborted"):
        run(str(home))
    first = built(here)
    assert len(first) == 3  # one of the four does not build
    shown = run(str(home))
    assert shown["commit"]["subject"] == f"change {BUGGY}"
    assert len(built(here)) == len(set(built(here))) > len(first)
    once = built(here)
    run(str(home))
    run("bug.smt2", "--expect", "sat")
    assert built(here) == once
    name = shown["commit"]["name"]
    report = (home / triaged.REPORT).read_text()
    assert f"First bad commit: {name} (2026-01-01, change {BUGGY})." in report
    run(str(home), good="c64")
    assert "Fixed by commit: " in (home / triaged.REPORT).read_text()
    assert f"First bad commit: {name}" in (home / triaged.REPORT).read_text()


@pytest.mark.timeout(600)
def test_wrong_use(here: Path) -> None:
    (here / "toy").mkdir()
    with pytest.raises(UsageError, match="not a git repository"):
        run("bug.smt2", "--expect", "sat")
    (here / "toy").rmdir()
    toy_repository(here / "toy", "verdict")
    for more, good, bad, message in (
        (("--expect", "sat"), "c30", "c40", "c30 shows it as well"),
        (("--expect", "sat"), "c1", "c60", "c60 does not show it"),
        (("--expect", "sat"), "c20", "c40", "c20 does not build.*oops"),
        (("--expect", "sat"), "c999", "c40", "no commit 'c999'"),
        (("--expect", "sat", "--unknown"), "c1", "c40", "use one of"),
        ((), "c1", "c40", "does not crash"),
        (("--expect", "sat"), "", "c40", "--good"),
    ):
        with pytest.raises(UsageError, match=message):
            run("bug.smt2", *more, good=good, bad=bad)
    with pytest.raises(UsageError, match="go together"):
        CliRunner().invoke(bisect.command, ("bug.smt2", "--git", "toy"), catch_exceptions=False)
    with pytest.raises(UsageError, match="--program"):
        commits._profile(None, commits.CommitsToBisect(here, BUILD, "", "", ""), None)
