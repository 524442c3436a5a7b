"""Control groups on this very kernel, where it permits them, and where a group is made."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from falsum.solvers.limits import Limits
from falsum.solvers.supervision import cgroups, fence
from falsum.solvers.supervision.process import ProcessRunner, Program

PERMITTED = cgroups.description()
needs_groups = pytest.mark.skipif(PERMITTED.startswith("none"), reason=PERMITTED)
needs_controllers = pytest.mark.skipif(not PERMITTED.startswith("memory, processes"), reason=PERMITTED)
PYTHON = (sys.executable, "-I", "-S", "-c")
LIMITS = Limits(seconds=60, memory=100)
# The program's group, as the supervisor sees it.
SEES = Program((*PYTHON, "print(open('/proc/self/cgroup').read())"))
# Memory of many processes, each with less than one may have.
SPREAD = """
import os, time
for _ in range(40):
    if not os.fork():
        rooms = bytearray(30 << 20)
        time.sleep(30)
        os._exit(0)
time.sleep(30)
"""
HYBRID = """\
22 1 0:20 / / rw shared:1 - ext4 /dev/vda rw
31 22 0:27 / /sys/fs/cgroup rw - tmpfs tmpfs rw
32 31 0:28 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids
33 31 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
"""
UNIFIED = "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
CONTAINER = "30 22 0:26 /docker/abc /sys/fs/cgroup ro shared:9 - cgroup2 cgroup2 rw\n"


@pytest.mark.parametrize(
    ("own", "mounts", "expected"),
    [
        ("9:pids:/\n0::/\n", HYBRID, ("/sys/fs/cgroup/unified", "/sys/fs/cgroup/unified")),
        ("0::/user.slice/a\n", UNIFIED, ("/sys/fs/cgroup", "/sys/fs/cgroup/user.slice/a")),
        ("0::/docker/abc/x\n", CONTAINER, ("/sys/fs/cgroup", "/sys/fs/cgroup/x")),
        ("0::/docker/abc\n", CONTAINER, ("/sys/fs/cgroup", "/sys/fs/cgroup")),
        ("0::/docker/abcd\n", CONTAINER, ("", "")),
        ("9:pids:/\n", UNIFIED, ("", "")),
        ("0::/\n", "22 1 0:20 / / rw - ext4 /dev/vda rw\n", ("", "")),
    ],
)
def test_the_own_group_is_found(own: str, mounts: str, expected: tuple[str, str]) -> None:
    assert cgroups.place_of(own, mounts) == expected


def group_in(text: str) -> str:
    """The name of the group in the text of /proc/PID/cgroup; other tests have groups at the same time."""
    match = re.search(r"falsum-[^/\s'\"\\]+", text)
    assert match is not None, text
    return match[0]


def folders() -> set[str]:
    place, folder = cgroups.place_of(
        Path("/proc/self/cgroup").read_text(), Path("/proc/self/mountinfo").read_text()
    )
    return {each.name for each in Path(cgroups._parent(place, folder)).glob("falsum-*")}


@needs_groups
def test_a_supervisor_and_its_programs_are_in_a_group_that_ends_with_them() -> None:
    with ProcessRunner() as runner:
        name = group_in(runner.run(SEES, LIMITS).stdout.decode())
        assert name in folders()
        assert name in runner.run(SEES, LIMITS).stdout.decode()
    assert name not in folders()


@needs_groups
def test_without_the_fence_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(fence.VARIABLE, fence.OFF)
    with ProcessRunner() as runner:
        assert "falsum-" not in runner.run(SEES, LIMITS).stdout.decode()


@needs_groups
def test_the_guard_ends_the_group_of_a_supervisor_that_is_killed() -> None:
    with ProcessRunner() as runner:
        running = runner.start(Program(("/bin/sleep", "60")), LIMITS)
        name = group_in(Path(f"/proc/{running.pid}/cgroup").read_text())
        program = psutil.Process(running.pid)
        supervisor = program.parent()
        assert supervisor is not None
        supervisor.kill()
        psutil.wait_procs([program], timeout=10)
        assert not program.is_running() or program.status() == psutil.STATUS_ZOMBIE
        running.close()
    assert name not in folders()


@needs_groups
def test_abandoned_groups_are_removed_and_used_ones_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    group, _what = cgroups.make()
    assert group is not None
    child = os.fork()
    if not child:
        group.enter()
        time.sleep(60)
        os._exit(0)
    time.sleep(0.5)
    monkeypatch.setattr(cgroups, "_ABANDONED_SECONDS", -1.0)
    other, _what = cgroups.make()
    assert other is not None
    assert Path(group.folder).is_dir()
    group.kill()
    os.waitpid(child, 0)
    third, _what = cgroups.make()
    assert third is not None
    assert not Path(group.folder).exists()
    assert not Path(other.folder).exists()
    third.remove()


@pytest.mark.parametrize("number", [13, 30])
def test_where_none_may_be_made_programs_run_without(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: str, _mode: int) -> None:
        raise OSError(number, os.strerror(number), path)

    monkeypatch.setattr(cgroups, "place_of", lambda _own, _mounts: ("/sys", "/sys"))
    monkeypatch.setattr("os.mkdir", refused)
    assert cgroups.description() == f"none (/sys: {os.strerror(number)})"


def exceeded(group: Any, child: int) -> str:
    """The limit that a group has exceeded by now; the group is ended, with its first process."""
    deadline = time.monotonic() + 60
    while not (limit := group.exceeded()) and time.monotonic() < deadline:
        time.sleep(0.1)
    group.kill()
    os.waitpid(child, 0)
    assert group.exceeded() == ""
    return str(limit)


@needs_controllers
def test_the_kernel_limits_processes() -> None:
    group, _what = cgroups.make()
    assert group is not None
    group.limit(500 << 20, 20)
    child = os.fork()
    if not child:
        group.enter()
        for _ in range(50):
            if not os.fork():
                time.sleep(60)
                os._exit(0)
        os._exit(0)
    assert exceeded(group, child) == "processes"


@needs_controllers
def test_the_kernel_limits_memory_of_all_processes_together() -> None:
    """Nobody looks here: it is the kernel's limit."""
    group, _what = cgroups.make()
    assert group is not None
    group.limit(100 << 20, 50)
    child = os.fork()
    if not child:
        group.enter()
        exec(SPREAD)
        os._exit(0)
    assert exceeded(group, child) == "memory"
