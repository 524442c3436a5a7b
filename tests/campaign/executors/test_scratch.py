"""Scratch folders: removed at the end, or by the next process if their own was killed."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from falsum.campaign.executors.scratch import remove_left, scratch_folder


def test_folders_of_dead_processes_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left = tmp_path / "falsum-test-4194999-abc"  # above the largest number a process can have
    left.mkdir()
    (tmp_path / "falsum-other-4194999-abc").mkdir()
    other = tmp_path / "falsum-mine"
    other.mkdir()
    with scratch_folder("test") as outer:
        with scratch_folder("test") as inner:
            assert sorted(tmp_path.iterdir()) == sorted([other, outer, inner])
        assert outer.is_dir()
    assert list(tmp_path.iterdir()) == [other]


def test_a_process_that_nobody_has_waited_for_is_dead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with subprocess.Popen(["true"]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        (tmp_path / f"falsum-test-{ended.pid}-abc").mkdir()
        remove_left()
        assert list(tmp_path.iterdir()) == []
    (tmp_path / f"falsum-test-{os.getpid()}-abc").mkdir()
    remove_left()
    assert len(list(tmp_path.iterdir())) == 1
