"""Triage on another machine: files go there and come back; nothing is left behind."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec
import pytest
from tests.campaign.places import HONEST
from tests.campaign.triage.test_steps import SCRIPT, kept, record

from falsum.campaign.executors.executor import Task
from falsum.campaign.triage import result, runner
from falsum.campaign.triage.job import Job
from falsum.campaign.triage.runner import Delivery, Shipment, ShippedTriageRunner


def triaged_elsewhere(job: Job) -> bytes:
    return ShippedTriageRunner().run(Task(1, runner.SHIPPED_RUNNER, runner.packed(job), 60.0), lambda: False)


def test_a_finding_is_triaged_where_its_folder_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "elsewhere"))
    folder = kept(tmp_path / "here", record("leak", HONEST, SCRIPT))
    body = triaged_elsewhere(Job(str(folder), (HONEST,), bisects=False))
    assert result.read(folder) is None
    assert runner.unpack(folder, body) == ""
    made = result.read(folder)
    assert made is not None
    assert made.suspect == HONEST
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_what_goes_wrong_is_told(tmp_path: Path) -> None:
    folder = kept(tmp_path, record("leak", "/no/such/program", SCRIPT))
    why = runner.unpack(folder, triaged_elsewhere(Job(str(folder), bisects=False)))
    assert "/no/such/program" in why
    assert result.read(folder) is None


def test_files_cannot_leave_their_folder(tmp_path: Path) -> None:
    folder = kept(tmp_path / "store", record("leak", HONEST, SCRIPT))
    runner.unpack(folder, msgspec.msgpack.encode(Delivery({"../../outside": b"x"})))
    assert not (tmp_path / "outside").exists()
    assert (folder / "outside").is_file()


def test_the_releases_to_bisect_over_are_named(tmp_path: Path) -> None:
    folder = kept(tmp_path, record("leak", "z3", SCRIPT))
    packed = msgspec.msgpack.decode(runner.packed(Job(str(folder))), type=Shipment)
    assert all(product == "z3" for product, _release in packed.releases)
    assert not msgspec.msgpack.decode(runner.packed(Job(str(folder), bisects=False)), type=Shipment).releases
