"""A baseline of `falsum api`: a second run is silent, also when it is resumed; what is new is reported."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.api.conftest import library_named

from falsum.app.commands import api

FAULT = "def push(self, levels):\n    raise RuntimeError('{}')"


def run(*arguments: str) -> tuple[int, list[dict[str, Any]]]:
    words = ("-j", "1", "--no-triage", "--json", *arguments)
    result = CliRunner().invoke(api.command, words, catch_exceptions=False)
    events = [json.loads(line) for line in result.stdout.splitlines()]
    return result.exit_code, [event for event in events if event["event"] == "finding"]


def planted(plant: Callable[[str, str], Path], message: str) -> Path:
    """A binding of one's own, which finds the library by itself."""
    release = library_named("bitwuzla").release
    assert release is not None
    file = plant("bitwuzla", FAULT.format(message))
    file.write_text(f"import sys\nsys.path.append({release.folder!r})\n{file.read_text()}")
    return file


@pytest.mark.timeout(600)
def test_what_is_known_is_not_reported(plant: Callable[[str, str], Path], tmp_path: Path) -> None:
    binding = planted(plant, "no room")
    known, second = str(tmp_path / "known"), str(tmp_path / "second")
    plan = ("--binding", str(binding), "--theory", "bitvectors", "--compare", "0", "--rng", "0")
    code, found = run(*plan, "--count", "6", "--out", known)
    assert code == 1
    assert {one["kind"] for one in found} == {"api-exception"}
    assert run(*plan, "--count", "6", "--baseline", known, "--out", second) == (0, [])
    # The plan keeps the baseline.
    assert run("--resume", "--count", "8", "--out", second) == (0, [])
    planted(plant, "another defect")
    code, found = run(*plan, "--count", "6", "--baseline", known, "--out", str(tmp_path / "third"))
    assert code == 1
    assert "another defect" in found[0]["evidence"]
