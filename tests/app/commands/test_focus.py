"""`falsum focus`: the changed functions of a repository, as AFL++ takes them; a campaign takes them, too."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from falsum.app.commands.focus import command
from falsum.campaign.search.focus import read_patterns
from falsum.errors import UsageError

BEFORE = "namespace n {\nint A::f(int x) {\n  return x;\n}\n}\nint g;\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet")
    for text in (BEFORE, BEFORE.replace("return x", "return 2"), BEFORE.replace("int g", "long g")):
        (folder / "a.cpp").write_text(text)
        git(folder, "add", "-A")
        git(folder, "commit", "--quiet", "-m", "a commit")
    return folder


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@localhost")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_functions_or_whole_files(repository: Path, tmp_path: Path) -> None:
    functions = run(str(repository), "HEAD~2..HEAD~1")
    assert functions == "# a.cpp\nfun: *1A1f*\n"
    assert run(str(repository), "HEAD~2..HEAD~1", "--files") == "# a.cpp\nsrc: a.cpp\n"
    assert run(str(repository), "HEAD~1..") == "# a.cpp\nsrc: a.cpp\n"
    listed = tmp_path / "list"
    listed.write_text(functions)
    assert read_patterns([f"@{listed}"]) == ("fun: *1A1f*",)


@pytest.mark.parametrize(
    ("revisions", "why"),
    [
        ("HEAD", "not a range of commits"),
        ("HEAD..HEAD", "no C or C\\+\\+ source differs"),
        ("nothing..HEAD", "no commit 'nothing'"),
    ],
)
def test_wrong_ranges(repository: Path, revisions: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        run(str(repository), revisions)


def test_no_repository(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a git repository"):
        run(str(tmp_path), "HEAD~1..HEAD")
