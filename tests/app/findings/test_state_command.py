"""`falsum findings set`, and where the state is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.app.report.example import RECORD, TRIAGE
from tests.campaign.triage.results import forget

from falsum.app.commands import findings
from falsum.app.report import files
from falsum.campaign.triage import result as triaged
from falsum.errors import UsageError
from falsum.store import finding_folder
from falsum.store.records import BatchRecord
from falsum.store.store import FINDINGS, Store

URL = "https://example.org/issues/1"
BATCH = BatchRecord(1, "typefuzz", "seed.smt2", 1, 0.1, "done", {})


@pytest.fixture
def out(tmp_path: Path) -> Path:
    with Store(tmp_path / "out") as store:
        store.record(store.begin({}), BATCH, findings=[RECORD])
    return tmp_path / "out"


@pytest.fixture
def home(out: Path) -> Path:
    folder = out / FINDINGS / finding_folder.name_of(RECORD)
    triaged.write(folder, triaged.TRIAGE, TRIAGE)
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(findings.command, arguments, catch_exceptions=False)


def listed(out: Path, *more: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in run("list", "--out", str(out), "--json", *more).stdout.splitlines()]


def test_a_state_is_set_listed_and_shown(out: Path, home: Path) -> None:
    assert listed(out)[0]["state"]["state"] == "triaged"  # type: ignore[index]
    said = run("set", RECORD.digest, "reported", "--url", URL, "--note", "to Nikolaj", "--out", str(out))
    assert said.stdout == f"{home.name}: reported {URL}\n"
    assert URL in run("list", "--out", str(out)).stdout
    assert f"state: reported {URL}, 20" in run("show", RECORD.digest, "--out", str(out)).stdout
    assert f"State: reported {URL}." in (home / files.CHECKLIST).read_text()
    assert f"reported: {URL}" in (home / files.CHECKLIST).read_text()
    run("set", RECORD.digest, "fixed", "--release", "4.8.11", "--out", str(out))
    assert "Re-tested: fixed in 4.8.11." in (home / triaged.REPORT).read_text()
    assert "fixed in 4.8.11 (reported: " in (home / files.CHECKLIST).read_text()
    shown = json.loads(run("show", RECORD.digest, "--out", str(out), "--json").stdout)
    assert [change["state"] for change in shown["life"]] == ["reported", "fixed"]


def test_the_list_is_filtered_by_state(out: Path, home: Path) -> None:
    assert len(listed(out, "--state", "open")) == len(listed(out, "--state", "triaged")) == 1
    run("set", str(home), "not-a-bug")
    assert listed(out, "--state", "open") == []
    assert len(listed(out, "--state", "not-a-bug")) == 1


def test_a_state_survives_what_comes_later(out: Path, home: Path) -> None:
    """A finding that is recorded again, and one whose triage is removed."""
    run("set", str(home), "obsolete")
    with Store(out) as store:
        store.record(store.begin({}), BATCH, findings=[RECORD])
    forget(home)
    assert [one["state"]["state"] for one in listed(out)] == ["obsolete"]  # type: ignore[index]


def test_wrong_use(home: Path) -> None:
    with pytest.raises(UsageError, match="--url"):
        run("set", str(home), "reported")
    with pytest.raises(UsageError, match="fixed and back only"):
        run("set", str(home), "obsolete", "--release", "1")
    assert run("set", str(home), "lost").exit_code == 2
