"""Batches of library runs: what is wrong is confirmed, made small and recorded once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.campaign.conftest import BITVECTORS

from falsum.app.main import main
from falsum.campaign.executors.executor import Task
from falsum.campaign.library.batch import LibraryBatch, LibraryTally
from falsum.campaign.library.runner import LibraryRunner
from falsum.campaign.outcome import FAILED, BatchOutcome
from falsum.store.finding_folder import read
from falsum.store.store import FINDINGS, Store


def called(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    code = left.value.code
    assert isinstance(code, int)
    return code, capsys.readouterr().out


def test_a_fault_is_one_finding_seen_many_times(
    faulty: Callable[[str], BatchOutcome], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = faulty("def push(self, levels):\n    raise RuntimeError(f'no level {levels}')")
    (found,) = outcome.findings
    tally = msgspec.convert(outcome.record.tally, LibraryTally)
    assert tally.runs == outcome.record.made == 8
    assert tally.endings["raised"] == 1 + len(outcome.sightings) > 1
    assert found.trace is not None
    assert found.signature == "api-exception | bitwuzla | raised | push | RuntimeError no level N"
    assert found.trace.small.splitlines()[5:] == ["new", "push 1", "-! RuntimeError no level 1"]
    with Store(tmp_path) as store:
        number = store.begin({"api": {}})
        store.record(number, outcome.record, findings=outcome.findings, sightings=outcome.sightings)
        listed = store.finding(found.digest)
    folder = tmp_path / FINDINGS / listed.folder
    # The fault is the binding's: no program of library calls shows it.
    assert {f.name for f in folder.iterdir()} >= {"finding.json", "whole.trace", "small.trace", "replay.sh"}
    assert not (folder / "program.py").exists()
    assert read(folder) == found
    assert listed.count == 1 + len(outcome.sightings)
    assert "push 1" in called(capsys, "findings", "show", found.digest, "--out", str(tmp_path))[1]
    rows = called(capsys, "findings", "list", "--json", "--out", str(tmp_path))[1].splitlines()
    assert [json.loads(row)["kind"] for row in rows] == ["api-exception"]
    # The real library has no such fault, which only falsum can tell.
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    result = subprocess.run(
        ["sh", str(folder / "replay.sh")], capture_output=True, text=True, check=False,
        env=os.environ | {"PATH": path},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert result.stdout.endswith("exit status 0\nthe bug is gone\n")
    assert called(capsys, "replay", found.digest, "--out", str(tmp_path))[0] == 0


def test_what_only_a_used_child_shows_is_a_leak(faulty: Callable[[str], BatchOutcome]) -> None:
    outcome = faulty(
        "runs = 0\n"
        "def new(self):\n    super().new()\n    self.runs += 1\n"
        "def check(self, assumptions):\n"
        "    if self.runs > 4:\n        raise RuntimeError('tired')\n"
        "    return super().check(assumptions)"
    )
    assert {found.kind for found in outcome.findings} == {"api-leak"}


def test_a_child_that_is_killed_is_no_finding(faulty: Callable[[str], BatchOutcome]) -> None:
    """As the kernel does that is short of memory."""
    outcome = faulty("def check(self, assumptions):\n    __import__('os').kill(__import__('os').getpid(), 9)")
    tally = msgspec.convert(outcome.record.tally, LibraryTally)
    assert tally.endings["killed"] >= 1
    assert outcome.findings == ()


def test_a_crash_that_no_fresh_child_shows_is_a_remark(
    faulty: Callable[[str], BatchOutcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flag = tmp_path / "crash"
    flag.touch()
    name = "falsum.campaign.library.confirmation.expect_good_conditions"
    monkeypatch.setattr(name, lambda _runner: flag.unlink())
    outcome = faulty(
        "def check(self, assumptions):\n"
        f"    if __import__('os').path.exists({str(flag)!r}):\n"
        "        __import__('os').abort()\n"
        "    return super().check(assumptions)"
    )
    tally = msgspec.convert(outcome.record.tally, LibraryTally)
    assert (tally.unconfirmed, tally.endings["crashed"], outcome.findings) == (1, 1, ())


def test_a_crash_that_the_same_runs_show_again_is_a_leak(faulty: Callable[[str], BatchOutcome]) -> None:
    outcome = faulty(
        "runs = 0\n"
        "def new(self):\n    super().new()\n    self.runs += 1\n"
        "def check(self, assumptions):\n"
        "    if self.runs > 4:\n        __import__('os').abort()\n"
        "    return super().check(assumptions)"
    )
    assert {found.kind for found in outcome.findings} == {"api-leak"}


def test_a_library_that_is_not_there_fails_its_batch() -> None:
    batch = LibraryBatch(3, "/no/such/library", (), BITVECTORS, 0, 8, 600.0)
    outcome = msgspec.msgpack.decode(
        LibraryRunner().run(Task(0, "", msgspec.msgpack.encode(batch), 60.0), lambda: False),
        type=BatchOutcome,
    )
    assert (outcome.record.number, outcome.record.made, outcome.record.ending) == (3, 0, FAILED)
    assert "/no/such/library" in outcome.faults[0].text
