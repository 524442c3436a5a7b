"""`falsum stability` finds the query that depends on the random seed, and makes it small."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from tests.audits.plants import honest, liar, planted, write

from falsum.app.commands import stability
from falsum.errors import UsageError


@pytest.mark.timeout(300)
def test_the_unstable_query_is_named_and_nobody_else(tmp_path: Path) -> None:
    rng = Random(5)
    unstable = {"plant_unstable": planted(rng)["plant_unstable"]}
    folder = write(tmp_path / "queries", honest(3, rng) | unstable)
    out = tmp_path / "out"
    arguments = [str(folder), "-s", liar(tmp_path), "--out", str(out), "--json", "--budget", "20s"]
    result = CliRunner().invoke(stability.command, arguments, catch_exceptions=False)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    found = {Path(row["query"]).stem: row["category"] for row in rows}
    assert {name for name, category in found.items() if category != "stable"} == {"plant_unstable"}
    assert found["plant_unstable"] == "unstable"
    assert result.exit_code == 1
    (small,) = (out / "small").iterdir()
    assert "plant_unstable" in small.read_text()
    assert "example of unstable" in result.stderr


def test_a_solver_is_needed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--solver S"):
        CliRunner().invoke(stability.command, [str(tmp_path)], catch_exceptions=False)
