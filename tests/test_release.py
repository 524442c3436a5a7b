"""The release kit: one version everywhere, complete metadata, and archives with what belongs there."""

from __future__ import annotations

import email
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.message import Message
from pathlib import Path

import pytest

from falsum.version import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PYTHONS = ["3.11", "3.12", "3.13"]


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(folder)],
        cwd=ROOT, check=True, capture_output=True, timeout=110,
    )  # fmt: skip
    return folder


def metadata(dist: Path) -> Message:
    (wheel,) = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return email.message_from_bytes(archive.read(f"falsum-{__version__}.dist-info/METADATA"))


def test_one_version(dist: Path) -> None:
    assert "version" in PROJECT["dynamic"]
    assert metadata(dist)["Version"] == __version__
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_metadata_is_complete(dist: Path) -> None:
    fields = metadata(dist)
    assert fields["License-Expression"] == "MIT"
    assert fields["Author"] == "The falsum developers"
    assert fields["Description-Content-Type"] == "text/markdown"
    assert fields["Requires-Python"] == f">={PYTHONS[0]}"
    assert "fuzzing" in fields["Keywords"].split(",")
    listed = fields.get_all("Classifier") or []
    assert [name for name in listed if name.startswith("Programming Language")] == [
        f"Programming Language :: Python :: {python}" for python in PYTHONS
    ]


def test_addresses_are_those_of_the_project(dist: Path) -> None:
    home = PROJECT["urls"]["Homepage"]
    assert all(address.startswith(home) for address in PROJECT["urls"].values())
    assert f"repository-code: {home}\n" in (ROOT / "CITATION.cff").read_text()
    assert {"Homepage", "Documentation", "Changelog", "Issues"} == {
        field.partition(",")[0] for field in metadata(dist).get_all("Project-URL") or []
    }


def test_links_work_on_a_page_of_the_index(dist: Path) -> None:
    text = str(metadata(dist).get_payload())
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 20
    assert [link for link in links if not link.startswith("https://")] == []
    files = [link.partition("/blob/main/")[2].partition("#")[0] for link in links if "/blob/main/" in link]
    pictures = [link.partition("/falsum/main/")[2] for link in links if "raw.githubusercontent" in link]
    assert len(pictures) >= 2
    assert [file for file in files + pictures if not (ROOT / file).exists()] == []


def test_the_wheel_has_what_belongs_there(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {
        "falsum/py.typed",
        "falsum/app/pages/templates/frame.html",
        "falsum/app/pages/static/pages.js",
    } <= {*names}
    assert sum(name.startswith("falsum/seeds/") and name.endswith(".smt2") for name in names) > 300
    assert {name.split("/")[0] for name in names} == {"falsum", f"falsum-{__version__}.dist-info"}
    assert not [name for name in names if "__pycache__" in name]


def test_the_source_archive_builds_without_this_tree(dist: Path) -> None:
    (archive,) = dist.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "src/falsum/version.py"} <= names
    assert not [name for name in names if name.startswith((".venv", "falsum-out", "dist"))]


def test_workflows_test_every_python_that_is_promised() -> None:
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text()
    tests, wheel = (re.findall(r'"(3\.\d+)"', row) for row in re.findall(r"python: \[(.*)\]", workflow))
    assert tests == PYTHONS
    assert wheel == PYTHONS[1:]
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for file in (ROOT / ".github" / "workflows").iterdir():
        assert set(re.findall(r"run: make ([a-z-]+)", file.read_text())) <= set(targets)


def test_publication_stores_no_password() -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    assert "id-token: write" in workflow
    assert "secrets." not in workflow


def test_the_image_does_not_run_as_root() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert lines.index("USER falsum") < next(
        n for n, line in enumerate(lines) if line.startswith("ENTRYPOINT")
    )
