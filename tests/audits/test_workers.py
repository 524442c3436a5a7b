"""Threads of workers: all is done, errors arrive, and nobody waits for a worker."""

from __future__ import annotations

import threading
import time

import pytest

from falsum.audits.workers import Crew


def test_every_task_has_its_result() -> None:
    workers: Crew[int, int] = Crew(lambda n: n * n, 4)
    assert dict(workers.results(range(100))) == {n: n * n for n in range(100)}


def test_errors_of_workers_are_raised() -> None:
    workers: Crew[int, int] = Crew(lambda n: 1 // n, 2)
    with pytest.raises(ZeroDivisionError):
        list(workers.results([1, 2, 0, 3]))


def test_whoever_leaves_waits_for_what_is_under_way_alone() -> None:
    started: list[int] = []

    def work(task: int) -> int:
        started.append(task)
        time.sleep(0.05)
        return task

    crew: Crew[int, int] = Crew(work, 2)
    results = crew.results(range(100))
    next(results)
    results.close()
    count = len(started)
    time.sleep(0.2)
    assert len(started) == count < 20


def test_an_interruption_waits_for_nobody() -> None:
    hangs = threading.Event()
    crew: Crew[int, bool] = Crew(lambda n: hangs.wait(60) if n else False, 2)
    results = crew.results(range(5))
    next(results)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        results.throw(KeyboardInterrupt)
    assert time.monotonic() - begun < 5
    hangs.set()
