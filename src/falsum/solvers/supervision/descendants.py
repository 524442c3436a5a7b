"""The descendants of a process: looked up, counted, killed and reaped.

Loaded by the supervisor, which runs without falsum on its path.
"""

# ruff: noqa: PTH110, PTH123, PTH208 (the supervisor looks every few milliseconds)
from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PAGE = os.sysconf("SC_PAGE_SIZE")
CLOCK_TICK = os.sysconf("SC_CLK_TCK")
HAS_CHILDREN_FILES = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
LIBC = ctypes.CDLL(None, use_errno=True)
# The record of sysinfo(2), and where the number of processes is in it.
SYSINFO = ctypes.create_string_buffer(256)
PROCESSES_PLACE = 10 * 8
# Between two looks for new processes, and what it takes to reap one.
LOOK_SECONDS = 0.02
REAP_SECONDS = 0.0002


def reap(spent_usage: dict[int, Any]) -> dict[int, int]:
    """Collect the children that have ended: process → wait status."""
    statuses: dict[int, int] = {}
    while True:
        try:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return statuses
        if pid == 0:
            return statuses
        statuses[pid] = status
        spent_usage[pid] = usage


def kill_descendants(usage: dict[int, Any], *, is_scoped: bool = False) -> dict[int, int]:
    """Kill and reap until this process has no descendants.

    `is_scoped`: signals of this process reach its descendants only, so the kernel kills all of them at once,
    and none can fork meanwhile. Otherwise they are listed and killed repeatedly until there are none.
    """
    statuses = reap(usage)
    while not has_no_children():
        if is_scoped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
            kills = 1
        else:
            kills = kill_listed()
        until = time.monotonic() + LOOK_SECONDS + kills * REAP_SECONDS
        while not has_no_children() and time.monotonic() < until:
            news = reap(usage)
            statuses.update(news)
            if not news:
                time.sleep(0.0005)
    return statuses


def has_no_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def kill_listed() -> int:
    """Kill every descendant; return their number."""
    processes = descendants()
    for pid in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(processes)


def descendants() -> list[int]:
    """Every descendant of this process."""
    below = children if HAS_CHILDREN_FILES else scanned_children
    processes: list[int] = []
    todo = [os.getpid()]
    while todo:
        below_it = below(todo.pop())
        processes += below_it
        todo += below_it
    return processes


def children(pid: int) -> list[int]:
    """Children of all threads of a process; an ended process has none."""
    processes: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                processes += [int(word) for word in file.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        pass
    return processes


def scanned_children(pid: int) -> list[int]:
    """The children of a process where the kernel has no list of them: reads the parent of every process."""
    processes: list[int] = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and int(stat_fields(int(name))[1]) == pid:
                processes.append(int(name))
        except (FileNotFoundError, ProcessLookupError):
            continue
    return processes


def stat_fields(pid: int) -> list[bytes]:
    """The fields of /proc/PID/stat after the program's name, which may contain anything."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()


def usage_of_descendants() -> tuple[int, float]:
    """Resident bytes and CPU seconds of all descendants."""
    memory, cpu = 0, 0.0
    for pid in descendants():
        try:
            with open(f"/proc/{pid}/statm", "rb") as file:
                memory += int(file.read().split()[1]) * PAGE
            cpu += sum(int(field) for field in stat_fields(pid)[11:15]) / CLOCK_TICK
        except (FileNotFoundError, ProcessLookupError):
            continue
    return memory, cpu


def process_count() -> int:
    """The number of processes and threads on this machine, found quickly but not exactly."""
    LIBC.sysinfo(SYSINFO)
    return int.from_bytes(SYSINFO.raw[PROCESSES_PLACE : PROCESSES_PLACE + 2], sys.byteorder)
