"""A newcomer's walk: the first part of docs/tour.md in a fresh environment, from the wheel to a report."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest
from tests.wheel import environment
from tests.wheel.environment import ROOT, Environment

from falsum.errors import SurroundingsError
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

OLD = "z3@4.8.10"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = environment.create(tmp_path_factory.mktemp("tour"))
    made.install(ROOT, tmp_path_factory.mktemp("dist"))
    return made


def tour() -> list[list[str]]:
    """The commands of the tour's first block."""
    block = (ROOT / "docs" / "tour.md").read_text().split("```sh\n")[1].split("```")[0]
    return [shlex.split(line) for line in block.splitlines()]


@pytest.mark.slow  # the first finding comes after about 1,500 mutants
@pytest.mark.timeout(600)
def test_from_an_old_release_to_a_report(installed: Environment) -> None:
    try:
        resolve(OLD, Zoo())
    except SurroundingsError as error:
        pytest.skip(str(error))
    add, fuzz, triage, listed, export = tour()
    assert add == ["falsum", "solvers", "add", OLD]
    fuzz[fuzz.index("2m")] = "5m"  # on a busy machine; the first finding ends it
    zoo = os.environ["FALSUM_ZOO"]
    installed.run(*fuzz, "--rng", "1", "--max-findings", "1", codes=(1,), zoo=zoo)
    installed.run(*triage, zoo=zoo)
    rows = installed.run(*listed, "--json", zoo=zoo).stdout.splitlines()
    wrong = [row for row in map(json.loads, rows) if OLD in row["suspects"]]
    assert wrong
    installed.run(*export, zoo=zoo)
    reports = list((installed.work / "reports").rglob("report.md"))
    assert reports
    assert any("4.8.10" in report.read_text() for report in reports)
    assert all(Path(report).stat().st_size > 500 for report in reports)
