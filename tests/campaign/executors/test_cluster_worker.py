"""What a worker of a cluster checks before it takes part in a campaign."""

from __future__ import annotations

from pathlib import Path

import msgspec
import psutil
from tests.campaign.executors.runners import COUNTER, ECHO

from falsum.campaign.executors import cluster_worker
from falsum.campaign.executors.cluster_worker import ClusterSetup, WorkerReply
from falsum.campaign.executors.executor import Task, TaskResult
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo
from falsum.version import __version__


def reply(setup: ClusterSetup) -> WorkerReply:
    task = msgspec.msgpack.encode(Task(1, ECHO, b"body", 60.0))
    try:
        return msgspec.msgpack.decode(
            cluster_worker.run_task(msgspec.msgpack.encode(setup), task), type=WorkerReply
        )
    finally:
        cluster_worker.leave(setup.campaign)


def test_a_worker_with_the_same_solvers_takes_part() -> None:
    setup = ClusterSetup.of("same", [resolve("z3", Zoo()), resolve("bitwuzla", Zoo())])
    assert setup.version == __version__
    assert reply(setup) == WorkerReply(TaskResult(1, b"body"))


def test_a_worker_that_differs_says_how() -> None:
    z3 = resolve("z3", Zoo()).version
    assert reply(ClusterSetup("old", "0.0.1")).refused == f"it has falsum {__version__}, the campaign 0.0.1"
    assert reply(ClusterSetup("z3", __version__, {"z3": "1.2.3"})).refused == (
        f"its z3 is {z3}, the campaign's is 1.2.3"
    )
    assert "no-such-program" in reply(ClusterSetup("path", __version__, {"/no-such-program": ""})).refused


def test_programs_are_told_apart_by_their_content(tmp_path: Path) -> None:
    program = tmp_path / "solver"
    program.write_text("#!/bin/sh\necho sat\n")
    program.chmod(0o755)
    setup = ClusterSetup.of("one", [resolve(str(program), Zoo())])
    assert not cluster_worker.mismatch(setup)
    program.write_text("#!/bin/sh\necho unsat\n")
    assert f"its {program} is " in cluster_worker.mismatch(setup)


def test_a_campaign_that_ended_without_a_word_gives_way_to_the_next() -> None:
    task = msgspec.msgpack.encode(Task(1, COUNTER, b"", 60.0))
    processes = []
    try:
        for name in ("gone", "next"):
            setup = msgspec.msgpack.encode(ClusterSetup(name, __version__))
            reply = msgspec.msgpack.decode(cluster_worker.run_task(setup, task), type=WorkerReply)
            assert reply.result is not None
            processes.append(int(reply.result.body.split()[1]))
        assert not psutil.pid_exists(processes[0])
        assert psutil.pid_exists(processes[1])
    finally:
        cluster_worker.leave("next")


def test_plug_in_files_travel_by_content(tmp_path: Path) -> None:
    """The process that runs the task has the file even if the path is gone on this machine."""
    file = tmp_path / "mine.py"
    file.write_text("raise SystemExit('read')\n")
    setup = ClusterSetup("plugins", __version__, {}, {str(file): file.read_bytes()})
    file.unlink()
    assert reply(setup).result == TaskResult(1, b"body")
