"""Runs a command until its processes have used a given amount of CPU time."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

_PERIOD = 0.25
# How long a command may take to end after it was interrupted.
_PATIENCE = 30.0


class CpuHistory:
    """The CPU time that commands had used at each moment (seconds of the system's clock)."""

    def __init__(self) -> None:
        self._moments: list[float] = []
        self._used: list[float] = []

    def note(self, cpu: float) -> None:
        self._moments.append(time.time())
        self._used.append(cpu)

    def at(self, moment: float) -> float:
        """The CPU seconds at a moment, as noted next."""
        place = bisect_left(self._moments, moment)
        return self._used[min(place, len(self._used) - 1)] if self._used else 0.0


def run(
    command: Sequence[str],
    cpu_seconds: float,
    folder: Path,
    *,
    elapsed: float,
    memory: int | None = None,
    history: CpuHistory | None = None,
    before: float = 0.0,
) -> float:
    """Run a command in a folder, interrupt it (SIGINT) at a limit of CPU seconds or of elapsed time, and
    return the CPU seconds used by it and its processes. It is also interrupted when they use more
    megabytes of `memory` together. The `history` records their CPU time, plus the seconds used `before`.
    """
    with _signals_handled(), (folder / "output.txt").open("ab") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, cwd=folder
        )
        tree = psutil.Process(process.pid)
        try:
            return _watched(process, tree, cpu_seconds, elapsed, memory, history or CpuHistory(), before)
        except BaseException:
            _kill(tree)
            raise


def _watched(
    process: subprocess.Popen[bytes],
    tree: psutil.Process,
    cpu_seconds: float,
    elapsed: float,
    memory: int | None,
    history: CpuHistory,
    before: float,
) -> float:
    cpu, start = 0.0, time.monotonic()
    interrupted = 0.0
    while True:
        ended_pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended_pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return max(cpu, usage.ru_utime + usage.ru_stime)
        cpu, now = max(cpu, _cpu(tree)), time.monotonic()
        history.note(before + cpu)
        if interrupted and now - interrupted > _PATIENCE:
            _kill(tree)
        elif not interrupted and (cpu >= cpu_seconds or now - start > elapsed or _exceeds(tree, memory)):
            # Popen.send_signal would wait for a process that has ended, and wait4 would find none.
            os.kill(process.pid, signal.SIGINT)
            interrupted = now
        time.sleep(_PERIOD)


@contextmanager
def _signals_handled() -> Iterator[None]:
    """A context in which SIGTERM ends a command together with this process, and commands can be interrupted
    even if this process ignores SIGINT, as in the background of a shell.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    wanted = {signal.SIGTERM: signal.SIG_DFL, signal.SIGINT: signal.SIG_IGN}
    before = {each: signal.getsignal(each) for each in wanted}
    for each, unwanted in wanted.items():
        if before[each] is unwanted:
            signal.signal(each, signal.default_int_handler)
    try:
        yield
    finally:
        for each, former in before.items():
            signal.signal(each, former)


def _cpu(tree: psutil.Process) -> float:
    """The CPU seconds of a process and its descendants, including those that have ended."""
    total = 0.0
    for process in _processes(tree):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


def _exceeds(tree: psutil.Process, memory: int | None) -> bool:
    """Whether a process and its descendants have more resident megabytes than this."""
    if memory is None:
        return False
    total = 0
    for process in _processes(tree):
        with suppress(psutil.NoSuchProcess):
            total += process.memory_info().rss
    return total > memory << 20


def _kill(tree: psutil.Process) -> None:
    for process in _processes(tree):
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue


def _processes(tree: psutil.Process) -> list[psutil.Process]:
    try:
        return [tree, *tree.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []
