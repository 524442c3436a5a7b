"""The pool: workers are replaced when they go, and never stay when the engine goes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing

import psutil
import pytest
from tests.campaign.places import HONEST, batch_of, liar

from falsum.campaign.executors import processes as engine
from falsum.campaign.executors.processes import Interruptions, Pool
from falsum.campaign.fuzz.batch import DONE, LOST, STOPPED, Outcome

PATIENCE = 60.0


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with closing(Pool(2)) as made:
        yield made


def outcomes(pool: Pool, count: int) -> list[Outcome]:
    got: list[Outcome] = []
    until = time.monotonic() + PATIENCE
    while len(got) < count and time.monotonic() < until:
        got += pool.outcomes(0.1)
    return got


def test_batches_are_run(pool: Pool) -> None:
    for _ in range(2):
        pool.submit(batch_of(HONEST, strategy="opfuzz", count=3))
    assert pool.idle == 0
    got = outcomes(pool, 2)
    assert [outcome.record.ending for outcome in got] == [DONE, DONE]
    assert all(outcome.record.made == 3 for outcome in got)
    assert pool.idle == 2


def test_a_worker_that_dies_is_replaced_and_its_batch_reported(pool: Pool) -> None:
    before = set(pool.processes)
    pool.submit(batch_of(liar("hang", "check-sat"), strategy="opfuzz"))
    time.sleep(0.3)
    os.kill(pool.processes[0], signal.SIGKILL)
    (outcome,) = outcomes(pool, 1)
    assert outcome.record.ending == LOST
    assert "status -9" in outcome.faults[0].text
    assert len(set(pool.processes) - before) == 1
    pool.submit(batch_of(HONEST, strategy="opfuzz", count=1))
    assert outcomes(pool, 1)[0].record.ending == DONE


def test_a_worker_that_died_idle_costs_nothing(pool: Pool) -> None:
    os.kill(pool.processes[0], signal.SIGKILL)
    time.sleep(0.2)
    assert list(pool.outcomes(0.1)) == []
    pool.submit(batch_of(HONEST, strategy="opfuzz", count=1))
    assert outcomes(pool, 1)[0].record.ending == DONE


def test_a_worn_worker_makes_room_and_no_batch_is_lost(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_MOST_BATCHES", 1)
    before = set(pool.processes)
    for _ in range(3):
        pool.submit(batch_of(HONEST, strategy="opfuzz", count=1))
        (outcome,) = outcomes(pool, 1)
        assert outcome.record.ending == DONE
    assert len(before - set(pool.processes)) >= 1


def test_stopping_ends_after_the_mutant_at_hand() -> None:
    with closing(Pool(1)) as pool:
        pool.submit(batch_of(HONEST, strategy="opfuzz", count=10_000))
        time.sleep(2.0)
        pool.stop()
        (outcome,) = outcomes(pool, 1)
    assert outcome.record.ending in {STOPPED, DONE}


ENGINE = """
import sys, time
from falsum.campaign.executors.processes import Pool
from tests.campaign.places import batch_of, liar
if __name__ == "__main__":
    pool = Pool(2)
    for _ in range(2):
        pool.submit(batch_of(liar("hang", "check-sat"), timeout=50.0, strategy="opfuzz"))
    time.sleep(float(sys.argv[1]))
    print(*pool.processes, flush=True)
    time.sleep(60)
"""


def test_workers_and_solvers_do_not_outlive_the_engine() -> None:
    engine = subprocess.Popen(
        [sys.executable, "-c", ENGINE, "1.5"], stdout=subprocess.PIPE, text=True, cwd="."
    )
    assert engine.stdout is not None
    engine.stdout.readline()
    family = psutil.Process(engine.pid).children(recursive=True)
    assert len(family) >= 2
    engine.kill()
    engine.wait()
    engine.stdout.close()
    _gone, alive = psutil.wait_procs(family, timeout=20)
    # A process of the system that tracks resources may linger for a moment; solvers and workers may not.
    assert [process.cmdline() for process in alive if process.is_running()] == []


def test_interruptions_are_counted_and_then_let_through() -> None:
    with Interruptions() as interruptions:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
        assert interruptions.count == 2
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
