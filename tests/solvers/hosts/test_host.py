"""Warm hosts that misbehave: a small program that plays a solver on its standard input."""

from __future__ import annotations

import sys

import pytest

from falsum.solvers.hosts.host import Host
from falsum.solvers.limits import Limits
from falsum.solvers.supervision.process import ProcessRunner, ProcessStop, Program

PLAYER = """
import os, sys, time
while line := sys.stdin.readline():
    size, mark = line.split()
    text = sys.stdin.read(int(size))
    exec(text)
    print(mark, flush=True)
"""


def host(runner: ProcessRunner, seconds: float = 20.0) -> Host:
    limits = Limits(seconds=seconds, memory=200, output=1)
    return Host(runner, Program((sys.executable, "-c", PLAYER)), limits, library=True)


def test_answers_come_one_after_the_other(runner: ProcessRunner) -> None:
    asked = host(runner)
    for number in range(20):
        outcome = asked.ask(f"print('sat {number}')")
        assert outcome.stdout == f"sat {number}\n".encode()
        assert outcome.stopped is ProcessStop.NONE
    assert asked.alive
    asked.close()


@pytest.mark.parametrize(
    ("script", "stopped", "said"),
    [
        ("print('sat', flush=True); os.abort()", ProcessStop.NONE, b"sat\n"),
        ("time.sleep(60)", ProcessStop.TIME, b""),
        ("print('sat', flush=True); time.sleep(60)", ProcessStop.TIME, b"sat\n"),
        ("hoard = [bytearray(b'x' * (1 << 20)) for _ in range(1 << 12)]", ProcessStop.MEMORY, b""),
        ("os.close(0); os.close(1); time.sleep(60)", ProcessStop.TIME, b""),
    ],
)
def test_a_host_that_goes_wrong_is_over(
    runner: ProcessRunner, script: str, stopped: ProcessStop, said: bytes
) -> None:
    asked = host(runner, 1.5 if stopped is ProcessStop.TIME else 20.0)
    outcome = asked.ask(script)
    assert outcome.stopped is stopped
    assert outcome.stdout == said
    assert not asked.alive
    again = host(runner)
    assert again.ask("print('unsat')").stdout == b"unsat\n"
    again.close()


def test_cpu_time_has_a_limit_of_its_own(runner: ProcessRunner) -> None:
    """A host that waits may take longer than its CPU time; each script has the whole limit."""
    limits = Limits(seconds=60.0, cpu=0.6)
    asked = Host(runner, Program((sys.executable, "-c", PLAYER)), limits, library=True)
    assert asked.ask("time.sleep(0.8); print('sat')").stdout == b"sat\n"
    for _ in range(2):
        busy = "end = time.process_time() + 0.4\nwhile time.process_time() < end: pass\nprint('sat')"
        assert asked.ask(busy).stdout == b"sat\n"
    outcome = asked.ask("while True: pass")
    assert outcome.stopped is ProcessStop.TIME
    assert 0.6 <= outcome.cpu < 5
    assert not asked.alive


@pytest.mark.parametrize("tires", [False, True])
def test_a_host_that_tires_is_over_when_it_has_worked_for_a_while(
    runner: ProcessRunner, *, tires: bool
) -> None:
    program = Program((sys.executable, "-c", PLAYER), tires=tires)
    asked = Host(runner, program, Limits(seconds=60.0), library=True)
    busy = "end = time.process_time() + 0.1\nwhile time.process_time() < end: pass\nprint('sat')"
    assert asked.ask(busy).stdout == b"sat\n"
    assert asked.alive is not tires
    asked.close()


def test_a_flood_is_cut(runner: ProcessRunner) -> None:
    asked = host(runner)
    outcome = asked.ask("while True: print('x' * 1000)")
    assert outcome.stopped is ProcessStop.OUTPUT
    assert len(outcome.stdout) < 3 << 20


def test_a_host_that_ended_while_idle_is_noticed(runner: ProcessRunner) -> None:
    asked = host(runner)
    asked.ask("import threading; threading.Timer(0.1, lambda: os._exit(3)).start()")
    import time

    time.sleep(0.6)
    assert not asked.alive


def test_requests_larger_than_a_pipe_are_sent(runner: ProcessRunner) -> None:
    asked = host(runner)
    outcome = asked.ask("#" + "x" * 3_000_000 + "\nprint('y' * 500000)")
    assert len(outcome.stdout) == 500001
    asked.close()
