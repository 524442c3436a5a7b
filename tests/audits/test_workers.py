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


def test_whoever_leaves_does_not_wait() -> None:
    hangs = threading.Event()
    workers: Crew[int, bool] = Crew(lambda n: hangs.wait(60) if n else False, 2)
    results = workers.results(range(5))
    next(results)
    started = time.monotonic()
    results.close()  # type: ignore[attr-defined] # a generator
    assert time.monotonic() - started < 5
    hangs.set()
