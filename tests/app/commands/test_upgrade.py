"""`falsum upgrade` finds every planted change and accuses nobody else."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from tests.audits.plants import honest, liar, planted, write

from falsum.app.commands import upgrade

EXPECTED = {
    "plant_wrong": "contradicted", "plant_lost": "lost", "plant_rejected": "rejected",
    "plant_slower": "slower", "plant_format": "rejected", "plant_unstable": "unstable",
}  # fmt: skip


def run(*arguments: object) -> Result:
    return CliRunner().invoke(upgrade.command, list(map(str, arguments)), catch_exceptions=False)


def rows(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def liar_name(tmp_path: Path) -> str:
    return liar(tmp_path)


@pytest.mark.timeout(300)
def test_every_plant_is_named_and_nobody_else(tmp_path: Path, liar_name: str) -> None:
    rng = Random(1)
    folder = write(tmp_path / "queries", honest(12, rng) | planted(rng))
    arguments = (folder, "--from", "z3", "--to", liar_name, "--out", tmp_path / "out", "--json")
    result = run(*arguments)
    changes = {Path(str(row["query"])).stem: row["change"] for row in rows(result)}
    assert {name: change for name, change in changes.items() if change != "same"} == EXPECTED
    (wrong,) = (row for row in rows(result) if row["change"] == "contradicted")
    assert wrong["suspects"] == [liar_name]
    assert "refutation unsoundness" in str(wrong["reason"])
    assert result.exit_code == 1

    again = run(*arguments)
    assert sorted(again.stdout.splitlines()) == sorted(result.stdout.splitlines())
    assert "0 solver runs" in again.stderr

    baseline = tmp_path / "out" / "upgrade.jsonl"
    accepted = run(*arguments[:-1], "--baseline", baseline, "--junit", tmp_path / "junit.xml")
    assert accepted.exit_code == 0
    assert "as in the baseline" in accepted.stdout


@pytest.mark.timeout(300)
def test_a_loss_is_made_small_and_dated(tmp_path: Path, liar_name: str) -> None:
    rng = Random(4)
    folder = write(tmp_path / "queries", {"plant_lost": planted(rng)["plant_lost"]})
    out = tmp_path / "out"
    result = run(folder, "--from", "z3", "--to", liar_name, "--out", out, "--budget", "30s")
    assert "example of lost" in result.stdout
    assert f"first in {liar_name}, not yet in z3" in result.stdout
    (small,) = (out / "small").iterdir()
    text = small.read_text()
    assert "plant_lost" in text
    assert len(text) < 60, "an assertion of false is enough for this liar"


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_busy_machine_accuses_nobody(tmp_path: Path, liar_name: str) -> None:
    """Two hundred honest queries, with two loops beside it that take all they can get."""
    rng = Random(9)
    folder = write(tmp_path / "queries", honest(200, rng) | planted(rng))
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2)]
    try:
        result = run(folder, "--from", "z3", "--to", liar_name, "--out", tmp_path / "out", "--json")
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    changes = {Path(str(row["query"])).stem: row["change"] for row in rows(result)}
    assert {name: change for name, change in changes.items() if change != "same"} == EXPECTED
    assert len(changes) == 206
