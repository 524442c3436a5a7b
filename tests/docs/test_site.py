"""The docs site builds without a warning: every link leads somewhere, every page is in the contents."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from falsum.app.commands import ALL as COMMANDS
from falsum.campaign import progress
from falsum.strategies import ALL as STRATEGIES

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "docs.site.build", str(to)]
    result = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return to / "html"


def test_every_page_of_the_docs_is_there(site: Path) -> None:
    pages = {page.relative_to(ROOT).with_suffix(".html") for page in (ROOT / "docs").rglob("*.md")}
    wanted = {page for page in pages if page.parts[:2] != ("docs", "site")}
    assert {page for page in wanted if not (site / page).is_file()} == set()


def test_the_reference_has_every_command_and_strategy(site: Path) -> None:
    commands = headings(site / "reference" / "commands.html")
    assert {f"falsum {name}" for name in COMMANDS} <= commands
    assert "falsum findings list" in commands
    assert {strategy.name for strategy in STRATEGIES.own} == headings(site / "reference" / "strategies.html")


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        fetched = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]*)', page.read_text())
        assert fetched == [], page


def test_every_event_is_described() -> None:
    listed = set(re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "commands.md").read_text(), re.MULTILINE))
    emitted = set(re.findall(r'_event\("(\w+)"', Path(progress.__file__).read_text()))
    assert listed == emitted | {"run"}


def headings(page: Path) -> set[str]:
    return set(re.findall(r"<h2>([^<]+)<", page.read_text()))
