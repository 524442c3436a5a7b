"""Runners for tests of executors."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from falsum.campaign.executors import cluster_worker
from falsum.campaign.executors.executor import Task
from falsum.solvers.limits import waiting_for_solver

ECHO = f"{__name__}:Echo"
COUNTER = f"{__name__}:Counter"
RAISER = f"{__name__}:Raiser"
SLEEPER = f"{__name__}:Sleeper"
POLLER = f"{__name__}:Poller"
SPINNER = f"{__name__}:Spinner"
WAITER = f"{__name__}:Waiter"
GLUTTON = f"{__name__}:Glutton"
ATTACHED = f"{__name__}:Attached"


def garbage_of_one(message: bytes) -> bytes:
    """What the cluster's worker 0 returns is no reply; the others are honest."""
    from distributed import get_worker

    if get_worker().name == 0:
        return b"\xff garbage"
    return cluster_worker.run_bundle(message)


class Echo:
    def run(self, task: Task, stopping: Callable[[], bool]) -> bytes:
        return task.body

    def close(self) -> None:
        pass


class Counter(Echo):
    """Tells how many tasks it has run, in which process, at which niceness."""

    def __init__(self) -> None:
        self.count = 0

    def run(self, task: Task, stopping: Callable[[], bool]) -> bytes:
        self.count += 1
        return f"{self.count} {os.getpid()} {os.nice(0)}".encode()


class Raiser(Echo):
    def run(self, task: Task, stopping: Callable[[], bool]) -> bytes:
        raise ZeroDivisionError(task.body.decode())


class Sleeper(Echo):
    """Does not look at anything for a minute."""

    def run(self, task: Task, stopping: Callable[[], bool]) -> bytes:
        time.sleep(60)
        return task.body


class Waiter(Echo):
    """Waits a second for a solver."""

    def run(self, task: Task, stopping: Callable[[], bool]) -> bytes:
        with waiting_for_solver():
            time.sleep(1)
        return task.body


class Poller(Echo):
    """Works until it is told to stop."""

    def run(self, task: Task, stopping: Callable[[], bool]) -> bytes:
        rounds = 0
        while not stopping():
            rounds += 1
            time.sleep(0.01)
        return f"stopped after {rounds} rounds".encode()


class Spinner(Echo):
    """Computes in one step that Python cannot interrupt."""

    def run(self, task: Task, stopping: Callable[[], bool]) -> bytes:
        return str(pow(3, 10**9)).encode()


class Glutton(Echo):
    """Asks for more memory than any worker gets."""

    def run(self, task: Task, stopping: Callable[[], bool]) -> bytes:
        return bytes(1 << 36)


class Attached(Echo):
    """Returns what is attached to its task."""

    def run(self, task: Task, stopping: Callable[[], bool]) -> bytes:
        return b" ".join(task.attachments.values())
