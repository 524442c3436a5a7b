"""`falsum solvers update`: what is new in the index is installed, and findings are tested on it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.app.report.example import RECORD, TRIAGE
from tests.store.test_merge import filled, home

from falsum.app.commands import solvers
from falsum.app.findings import update_command
from falsum.campaign.triage import result as triaged
from falsum.errors import UsageError
from falsum.solvers.profiles import BY_PRODUCT
from falsum.solvers.zoo import Origin, Release, Zoo


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Release]:
    """An index with one release that is not installed and says sat to everything; what was installed."""
    program = tmp_path / "z3"
    program.write_text("#!/bin/sh\necho sat\n")
    program.chmod(0o755)
    added: list[Release] = []

    def add(_zoo: Zoo, product: str, wanted: str) -> Release:
        added.append(Release(product, wanted, Origin.ZOO, program=str(program)))
        return added[-1]

    monkeypatch.setattr(Zoo, "available", lambda _zoo, _profile: ("99.1.0", "99.2.0rc1", "98.0"))
    monkeypatch.setattr(
        Zoo, "installed", lambda _zoo, profile: [r for r in added if r.product == profile.product]
    )
    monkeypatch.setattr(Zoo, "add", add)
    monkeypatch.chdir(tmp_path)
    return added


def run(*arguments: str) -> tuple[int, list[dict[str, Any]]]:
    result = CliRunner().invoke(solvers.command, ("update", *arguments, "--json"), catch_exceptions=False)
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def test_the_newest_release_is_installed_once_and_findings_are_tested(
    tmp_path: Path, index: list[Release]
) -> None:
    out = filled(tmp_path / "out", RECORD)
    triaged.write(home(out, RECORD), triaged.TRIAGE, TRIAGE)  # z3@4.8.6 says unsat, sat is right
    code, (release, tested) = run("z3", "--out", str(out), "--jobs", "1")
    assert release == {"product": "z3", "newest": "99.1.0", "is_new": True}
    assert (tested["standing"], tested["before"]) == ("good", "triaged")
    assert tested["after"].startswith("fixed in ")
    assert code == 0
    assert [one.version for one in index] == ["99.1.0"]
    assert run("z3", "--out", str(out)) == (0, [{"product": "z3", "newest": "99.1.0", "is_new": False}])


def test_without_findings_and_of_what_is_not_in_the_index(index: list[Release]) -> None:
    assert run("z3", "--out", "none") == (0, [{"product": "z3", "newest": "99.1.0", "is_new": True}])
    assert update_command._is_here(BY_PRODUCT["z3"], Zoo())
    with pytest.raises(UsageError, match="not in the package index"):
        run("acme")
    assert len(index) == 1
