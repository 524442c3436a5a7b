"""`falsum findings merge`, `export --store` and `import`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.app.report.example import RECORD, TRIAGE
from tests.store.test_merge import another, counts, filled, home

from falsum.app.commands import findings
from falsum.app.findings import store_commands
from falsum.app.report import files
from falsum.campaign.triage import result as triaged
from falsum.errors import UsageError
from falsum.store.states import FindingState, note_change


def run(*arguments: str) -> Result:
    return CliRunner().invoke(findings.command, arguments, catch_exceptions=False)


def test_merge_brings_states_into_the_reports(tmp_path: Path) -> None:
    one, two = filled(tmp_path / "one", RECORD), filled(tmp_path / "two", RECORD, another("b"))
    triaged.write(home(one, RECORD), triaged.TRIAGE, TRIAGE)
    note_change([home(two, RECORD)], FindingState.FIXED, release="5.0")
    assert store_commands.merge.name == "merge"
    output = run("merge", str(two), "--out", str(one)).stdout
    assert output == f"{two}: 2 findings, 1 new in {one}\n"
    assert "State: fixed in 5.0." in (home(one, RECORD) / files.CHECKLIST).read_text()


def test_export_and_import(tmp_path: Path) -> None:
    one, file = filled(tmp_path / "one", RECORD), tmp_path / "store.tar.gz"
    assert "1 finding\n" in run("export", "--store", str(file), "--out", str(one)).stdout
    assert run("import", str(file), "--out", str(tmp_path / "two")).stdout.endswith(
        f"1 finding, 1 new in {tmp_path / 'two'}\n"
    )
    assert counts(tmp_path / "two") == counts(one)
    with pytest.raises(UsageError, match="with --out only"):
        run("export", "--store", str(file), "--leaders", "--out", str(one))
    with pytest.raises(UsageError, match="--to"):
        run("export", "--out", str(one))
