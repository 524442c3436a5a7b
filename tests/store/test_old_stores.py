"""Stores and folders of findings that older releases wrote still open."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from falsum.app.commands import api, findings, fuzz
from falsum.campaign.triage import result
from falsum.defects.evidence.judgement import Defect
from falsum.errors import SurroundingsError
from falsum.store import finding_folder, schema
from falsum.store.reader import StoreReader
from falsum.store.store import FINDINGS, Store

STORES = Path(__file__).parent.parent / "data" / "stores"


def restored(name: str, to: Path) -> Path:
    out = to / name
    shutil.copytree(STORES / name, out)
    with sqlite3.connect(out / schema.FILE_NAME) as database:
        database.executescript((STORES / name / "falsum.sql").read_text())
    database.close()
    return out


@pytest.mark.parametrize(("name", "kind"), [("scripts", "crash"), ("traces", "api-crash")])
def test_what_is_in_them_is_shown(name: str, kind: str, tmp_path: Path) -> None:
    out = restored(name, tmp_path)
    with StoreReader(out) as store:
        (listed,) = store.findings()
        batches = {batch.number for batch in store.batches(1)}
    folder = out / FINDINGS / listed.folder
    record = finding_folder.read(folder)
    assert (listed.kind, record.kind) == (kind, kind)
    assert (record.signature, record.digest) == (listed.signature, listed.digest)
    assert record.batch in batches
    triage = result.read(folder)
    assert triage is not None
    assert triage.judgement.defect == Defect.CRASH
    assert triage.reduction is not None
    rows = CliRunner().invoke(findings.command, ["list", "--json", "--out", str(out)]).stdout.splitlines()
    assert [json.loads(row)["judged"] for row in rows] == ["crash: bitwuzla"]
    exported = CliRunner().invoke(
        findings.command, ["export", "--out", str(out), "--to", str(tmp_path / "to")]
    )
    assert "1 with reports" in exported.stdout


def test_a_campaign_over_scripts_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    out = restored("scripts", tmp_path)
    (folder,) = (out / FINDINGS).iterdir()
    Path("seed.smt2").write_text(finding_folder.read(folder).seeds[0][1])
    arguments = ["--resume", "--count", "25", "--jobs", "1", "--no-triage", "--json", "--out", str(out)]
    last = json.loads(CliRunner().invoke(fuzz.command, arguments).stdout.splitlines()[-1])
    assert (last["event"], last["mutants"]) == ("end", 25)
    with Store(out) as store:
        assert sum(batch.made for batch in store.batches(1)) == 25


def test_a_campaign_over_libraries_is_resumed(tmp_path: Path) -> None:
    out = restored("traces", tmp_path)
    arguments = ["--resume", "--count", "4", "--jobs", "1", "--no-triage", "--json", "--out", str(out)]
    last = json.loads(CliRunner().invoke(api.command, arguments).stdout.splitlines()[-1])
    assert (last["event"], last["runs"]) == ("end", 4)
    with Store(out) as store:
        runs = [(batch.tally["first"], batch.made) for batch in store.batches(1)]
    assert runs == [(55, 2), (57, 1), (58, 1)]


def test_one_of_a_release_to_come_is_refused(tmp_path: Path) -> None:
    out = restored("scripts", tmp_path)
    with sqlite3.connect(out / schema.FILE_NAME) as database:
        database.execute("pragma user_version = 7")
    database.close()
    for opened in (Store, StoreReader):
        with pytest.raises(SurroundingsError, match=r"format 7.*newer release.*reads format 1"):
            opened(out)


def test_a_folder_of_a_release_to_come_is_refused(tmp_path: Path) -> None:
    (folder,) = (restored("scripts", tmp_path) / FINDINGS).iterdir()
    record = json.loads((folder / finding_folder.RECORD_NAME).read_text())
    del record["signature"]
    (folder / finding_folder.RECORD_NAME).write_text(json.dumps(record))
    with pytest.raises(SurroundingsError, match=r"not a finding that falsum .* can read"):
        finding_folder.read(folder)
