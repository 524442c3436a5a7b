"""Runs a command until its processes have used a given amount of CPU time."""

from __future__ import annotations

import resource
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

_PERIOD = 0.25
# How long a command may take to end after it was interrupted.
_PATIENCE = 30.0


def run(command: Sequence[str], cpu_seconds: float, folder: Path, *, elapsed: float) -> float:
    """Run a command in a folder, interrupt it (SIGINT) after these CPU seconds, or when so much time has
    elapsed, and return the CPU seconds that it and its processes have used."""
    with (folder / "output.txt").open("ab") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, cwd=folder
        )
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        tree, used, started = psutil.Process(process.pid), 0.0, time.monotonic()
        while process.poll() is None:
            used = max(used, _cpu(tree))
            if used >= cpu_seconds or time.monotonic() - started > elapsed:
                process.send_signal(signal.SIGINT)
                break
            time.sleep(_PERIOD)
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            _kill(tree)
            process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return max(used, ended)


def _cpu(tree: psutil.Process) -> float:
    """The CPU seconds of a process and its descendants, those that have ended among them."""
    total = 0.0
    for process in _processes(tree):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


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
