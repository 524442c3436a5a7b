"""Campaigns on a machine that lacks something: a message, the right exit code, nothing lost, no traceback."""

from __future__ import annotations

import errno
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.campaign.places import HONEST, SEED
from tests.campaign.test_campaign import Given, Inline, Log, outcome

from falsum.campaign.campaign import CampaignRun
from falsum.campaign.executors.executor import Task, TaskResult
from falsum.campaign.plan import Plan
from falsum.campaign.progress import COUNTED
from falsum.errors import ShortageError, SurroundingsError, shortage_in
from falsum.store.reader import StoreReader
from falsum.store.store import Store

FALSUM = [sys.executable, "-c", "from falsum.app.main import main\nif __name__ == '__main__': main()"]
COUNT = 40
LONG = 180

# Runs falsum with a file system of three megabytes, which is filled once the campaign has begun, and emptied
# when falsum says that it waits for room.
FULL_DISK = """
mount -t tmpfs -o size=3m none {disk} || exit 98
{falsum} 2>{log} &
{python} -I -c '{filler}' {disk}/filler {log} || {{ kill $!; exit 99; }}
wait $!
"""
# Takes every page that falsum gives back.
FILLER = """
import glob, os, sys, time
file, log = sys.argv[1:]
until = time.monotonic() + 90
while "seeds;" not in (open(log).read() if os.path.exists(log) else ""):
    time.sleep(0.05)
# The supervisor of a worker, or the store, is there.
while not glob.glob(os.path.dirname(file) + "/*/*"):
    time.sleep(0.05)
end = os.open(file, os.O_CREAT | os.O_WRONLY)
while "paused" not in open(log).read():
    if time.monotonic() > until:
        sys.exit("falsum does not pause")
    try:
        os.write(end, bytes(4096))
    except OSError:
        time.sleep(0.0005)
os.unlink(file)
"""


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    folder = tmp_path / "seeds"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.smt2").write_text(SEED.replace("5", str(5 + number)))
    return folder


def fuzz(seeds: Path, out: Path, *more: str) -> list[str]:
    given = [
        str(seeds),
        "-s",
        HONEST,
        "-t",
        "opfuzz",
        "--rng",
        "1",
        "-j",
        "1",
        "--no-triage",
        "--out",
        str(out),
    ]
    return [*FALSUM, "fuzz", *given, *(more or ("--count", str(COUNT)))]


def limited(limit: str, command: list[str]) -> subprocess.CompletedProcess[str]:
    script = f"ulimit {limit}; exec {shlex.join(command)}"
    return subprocess.run(
        ["/bin/bash", "-c", script], capture_output=True, text=True, timeout=LONG, check=False
    )


def mutants(out: Path) -> int:
    with StoreReader(out) as store:
        return sum(batch.made for batch in store.batches(1))


def can_mount(folder: Path) -> bool:
    mount = ["unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", str(folder)]
    try:
        return subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("full", ["store", "temporary directory"])
def test_a_campaign_waits_while_the_disk_is_full(tmp_path: Path, seeds: Path, full: str) -> None:
    disk, log, out = tmp_path / "disk", tmp_path / "log", tmp_path / "out"
    disk.mkdir()
    if not can_mount(disk):
        pytest.skip("no file systems of one's own on this machine")
    if full == "store":
        out = disk / "out"
    falsum = f"TMPDIR={disk if full != 'store' else tmp_path} {shlex.join(fuzz(seeds, out))} --json"
    script = FULL_DISK.format(disk=disk, log=log, falsum=falsum, python=sys.executable, filler=FILLER)
    result = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "/bin/bash", "-c", script],
        capture_output=True, text=True, timeout=LONG, check=False,
    )  # fmt: skip
    assert result.returncode in (0, 1), result.stdout[-2000:] + log.read_text()[-3000:]
    said = log.read_text()
    assert "Traceback" not in said
    assert "o space left" in said or "disk is full" in said or "disk I/O" in said
    assert f'"mutants": {COUNT},' in result.stdout.splitlines()[-1]
    assert '"faults": 0' in result.stdout.splitlines()[-1]


@pytest.mark.parametrize("descriptors", [5, 8, 10, 14, 18])
def test_few_file_descriptors_are_no_traceback(tmp_path: Path, seeds: Path, descriptors: int) -> None:
    done = limited(f"-n {descriptors}", fuzz(seeds, tmp_path / "out", "--for", "4s"))
    if "falsum: " not in done.stderr:
        return  # with very few, Python does not get that far
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode in (0, 1, 3), done.stderr
    assert done.returncode == 3 or mutants(tmp_path / "out")


def test_a_limit_of_memory_below_ours_is_kept(tmp_path: Path, seeds: Path) -> None:
    """Solvers get the limit of the user where it is stricter than falsum's."""
    done = limited("-v 2000000", fuzz(seeds, tmp_path / "out"))
    assert done.returncode in (0, 1), done.stderr
    assert mutants(tmp_path / "out") == COUNT


@pytest.mark.parametrize("damage", ["corrupt", "half", "directory", "read-only"])
def test_a_store_that_cannot_be_used_is_told(tmp_path: Path, seeds: Path, damage: str) -> None:
    out = tmp_path / "out"
    with Store(out):
        pass
    database = out / "falsum.sqlite"
    command = fuzz(seeds, out)
    if damage == "corrupt":
        database.write_bytes(os.urandom(20_000))
    elif damage == "half":
        database.write_bytes(database.read_bytes()[: database.stat().st_size // 2])
    elif damage == "directory":
        database.unlink()
        database.mkdir()
    else:
        if not can_mount(tmp_path):
            pytest.skip("no file systems of one's own on this machine")
        bind = f"mount --bind {out} {out} && mount -o remount,ro,bind {out} && exec {shlex.join(command)}"
        command = ["unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", bind]
    result = subprocess.run(command, capture_output=True, text=True, timeout=LONG, check=False)
    assert result.returncode == 3, result.stderr
    assert result.stderr.startswith("falsum: ")
    assert str(out) in result.stderr
    assert "Traceback" not in result.stderr


class Needy(Inline):
    """An executor that lacks something for the first tries of every task."""

    def __init__(self, tries: int) -> None:
        super().__init__()
        self.tries = dict.fromkeys(range(10), tries)

    def submit(self, task: Task) -> None:
        if self.tries[task.number] % 2:
            self.tries[task.number] -= 1
            raise OSError(24, "Too many open files")
        super().submit(task)

    def results(self, seconds: float) -> Iterator[TaskResult]:
        for result in super().results(seconds):
            if self.tries[result.number]:
                self.tries[result.number] -= 1
                yield TaskResult(result.number, lost="x", shortage="No space left on device")
            else:
                yield result


def test_what_the_machine_lacks_costs_no_batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("falsum.campaign.pause._FIRST_SECONDS", 0.01)
    log = Log()
    outcomes = [outcome(number) for number in range(3)]
    with Store(tmp_path / "out") as store:
        number = store.begin({})
        run = CampaignRun(Given(outcomes, Plan(count=3)), store, number, log)
        assert run.run(Needy(3)) == COUNTED
        assert [batch.number for batch in store.batches(number)] == [0, 1, 2]
    assert ("paused", "Too many open files") in log.events
    assert not [event for event in log.events if event[0] == "fault"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EMFILE, errno.ENOLCK, errno.EDQUOT, errno.ENOMEM])
def test_what_may_come_back_is_a_shortage(code: int) -> None:
    wrapped = SurroundingsError("cannot write")
    wrapped.__cause__ = OSError(code, "x", "/some/file")
    assert shortage_in(wrapped) == f"{os.strerror(code)}: /some/file"
    assert not shortage_in(OSError(errno.EACCES, "x"))


def test_a_store_without_room_gets_the_outcomes_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("falsum.campaign.pause._FIRST_SECONDS", 0.01)
    log, left = Log(), [5]
    record = Store.record

    def full(self: Store, *given: object, **more: object) -> list[str]:
        if left[0]:
            left[0] -= 1
            raise ShortageError("database or disk is full")
        return record(self, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Store, "record", full)
    with Store(tmp_path / "out") as store:
        number = store.begin({})
        run = CampaignRun(Given([outcome(n) for n in range(3)], Plan(count=3)), store, number, log)
        assert run.run(Inline()) == COUNTED
        assert [batch.number for batch in store.batches(number)] == [0, 1, 2]
    assert [event for event in log.events if event[0] == "paused"] == [("paused", "database or disk is full")]


@pytest.mark.parametrize("jump", [-1e9, 1e9])
def test_a_clock_that_jumps_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    real, calls = time.time, [0]

    def jumping() -> float:
        calls[0] += 1
        return real() + (jump if calls[0] % 2 else 0.0)

    with Store(tmp_path / "out") as store:
        number = store.begin({})
        monkeypatch.setattr(time, "time", jumping)
        run = CampaignRun(
            Given([outcome(n) for n in range(3)], Plan(count=3, seconds=60.0)), store, number, Log()
        )
        assert run.run(Inline()) == COUNTED
        assert 0 <= run.elapsed < 50
        assert len(store.batches(number)) == 3
