"""What a worker of a cluster does with bundles: contents that are missing, lanes, campaigns that are gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import psutil
import pytest
from tests.campaign.executors.runners import ATTACHED, COUNTER, ECHO

from falsum.campaign.executors import cluster_worker
from falsum.campaign.executors.cluster_setup import ClusterSetup
from falsum.campaign.executors.executor import Task, TaskResult, content_digest
from falsum.campaign.executors.messages import Bundle, BundleReply, WorkerReport
from falsum.version import __version__

ME = "tcp://here:1"


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A worker of this test alone."""
    state = cluster_worker._WorkerState()
    monkeypatch.setattr(cluster_worker, "_state", state)
    yield
    for campaign in list(state.memberships):
        cluster_worker.leave(campaign)


def ask(
    setup: ClusterSetup, *tasks: Task, lane: str = "batches", sent: dict[str, bytes] | None = None
) -> BundleReply:
    encoded = msgspec.msgpack.encode(setup)
    bare = tuple(msgspec.structs.replace(task, attachments={}) for task in tasks)
    needs = tuple(tuple(task.attachments) for task in tasks)
    contents = {content_digest(encoded): encoded} | (sent or {})
    bundle = Bundle(content_digest(encoded), lane, bare, needs, contents)
    reply = cluster_worker.run_bundle(msgspec.msgpack.encode(bundle), ME)
    return msgspec.msgpack.decode(reply, type=BundleReply)


def test_tasks_run_one_after_the_other() -> None:
    setup = ClusterSetup("a", __version__)
    reply = ask(setup, *(Task(number, ECHO, b"%d" % number, 60.0) for number in range(3)))
    assert reply == BundleReply(ME, tuple(TaskResult(number, b"%d" % number) for number in range(3)))
    report = msgspec.msgpack.decode(cluster_worker.report(), type=WorkerReport)
    assert (report.release, report.running, report.done, report.error) == (__version__, 0, 3, "")


def test_a_worker_asks_once_for_what_it_lacks() -> None:
    setup = ClusterSetup("b", __version__)
    seed, wrong = b"(check-sat)", b"something else"
    digest = content_digest(seed)
    task = Task(1, ATTACHED, b"", 60.0, attachments={digest: seed})
    assert ask(setup, task).missing == (digest,)
    assert ask(setup, task, sent={digest: wrong}).missing == (digest,)
    assert ask(setup, task, sent={digest: seed}).results == (TaskResult(1, seed),)
    assert ask(setup, task).results == (TaskResult(1, seed),)


def test_a_worker_that_does_not_know_the_campaign_asks_for_it() -> None:
    bundle = Bundle("unknown", "batches", (Task(1, ECHO, b"", 60.0),), ((),))
    reply = msgspec.msgpack.decode(
        cluster_worker.run_bundle(msgspec.msgpack.encode(bundle), ME), type=BundleReply
    )
    assert reply.missing == ("unknown",)


def test_lanes_have_processes_of_their_own() -> None:
    setup, task = ClusterSetup("c", __version__), Task(1, COUNTER, b"", 60.0)
    counted = [ask(setup, task, lane=lane).results[0].body.split()[:2] for lane in ("a", "b", "a")]
    assert [count for count, _process in counted] == [b"1", b"1", b"2"]
    cluster_worker.stop(content_digest(msgspec.msgpack.encode(setup)), "a")
    assert ask(setup, task, lane="a").results == ()
    assert ask(setup, task, lane="b").results[0].body.startswith(b"2")


def test_a_campaign_that_ended_without_a_word_gives_way_to_the_next() -> None:
    processes = []
    for name in ("gone", "next"):
        reply = ask(ClusterSetup(name, __version__), Task(1, COUNTER, b"", 60.0))
        processes.append(int(reply.results[0].body.split()[1]))
    assert not psutil.pid_exists(processes[0])
    assert psutil.pid_exists(processes[1])


def test_a_worker_that_is_refused_says_why() -> None:
    assert "the campaign 0.0.1" in ask(ClusterSetup("d", "0.0.1"), Task(1, ECHO, b"", 60.0)).refused
    assert "0.0.1" in msgspec.msgpack.decode(cluster_worker.report(), type=WorkerReport).error


def test_plug_in_files_travel_by_content(tmp_path: Path) -> None:
    """The process that runs the task has the file even if the path is gone on this machine."""
    file = tmp_path / "mine.py"
    text = b"raise SystemExit('read')\n"
    setup = ClusterSetup("plugins", __version__, plugins={str(file): content_digest(text)})
    task = Task(1, ECHO, b"body", 60.0)
    assert ask(setup, task).missing == (content_digest(text),)
    cluster_worker.receive(text)
    assert ask(setup, task).results == (TaskResult(1, b"body"),)
