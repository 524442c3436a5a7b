"""The worker side of a cluster: checks that it has what a bundle of tasks needs, and runs them.

A task runs in a process of `ProcessPool`, with the same limits and the same end as on one machine: it dies
with the cluster's worker, is replaced when it has grown, and is killed when it hangs. Everything that is
exchanged is bytes of our own encoding.
"""

from __future__ import annotations

import multiprocessing
import os
import socket
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import msgspec
from cachetools import LRUCache

from falsum.campaign.executors.cluster_setup import (
    ClusterSetup,
    mismatch,
    missing_builds,
    unpacked_builds,
)
from falsum.campaign.executors.executor import Task, TaskResult, content_digest
from falsum.campaign.executors.messages import Bundle, BundleReply, WorkerReport
from falsum.campaign.executors.processes import ProcessPool
from falsum.campaign.executors.scratch import remove_left, scratch_folder
from falsum.errors import FalsumError
from falsum.solvers.builds.relocation import Relocations
from falsum.version import __version__

_LOOK_SECONDS: Final = 0.2
# Contents that a worker keeps: seeds, operators, plug-ins, archives of builds. What is dropped is sent again.
_MAX_CONTENT_BYTES: Final = 256 << 20


class _Slot:
    """The process of one thread of this worker, for one campaign and lane."""

    def __init__(self, plugin_files: tuple[str, ...], relocations: Relocations) -> None:
        self.pool = ProcessPool(1, plugin_files=plugin_files, relocations=relocations)

    def run(self, task: Task, stopping: threading.Event) -> TaskResult | None:
        """The result of a task; None if it was stopped before it had one."""
        self.pool.submit(task)
        while self.pool.busy:
            if stopping.is_set():
                self.pool.stop()
            for result in self.pool.results(_LOOK_SECONDS):
                return result
        return None


class _Membership:
    """A campaign that this worker takes part in."""

    def __init__(self, setup: ClusterSetup, contents: Mapping[str, bytes]) -> None:
        self._relocations: Relocations = {}
        try:
            self._relocations = unpacked_builds(setup, contents)
            self.refused = mismatch(setup, self._relocations)
        except (FalsumError, OSError) as error:
            self.refused = str(error)
        self.running = 0
        self._stopping: dict[str, threading.Event] = {}
        self._stack = ExitStack()
        remove_left()
        self._files: tuple[str, ...] = ()
        if setup.plugins:
            folder = self._stack.enter_context(scratch_folder("plugins"))
            self._files = tuple(
                _written(folder / str(number), path, contents[digest])
                for number, (path, digest) in enumerate(setup.plugins.items())
            )
        self._slots: dict[tuple[int, str], _Slot] = {}

    def run(self, bundle: Bundle, attachments: list[dict[str, bytes]]) -> list[TaskResult]:
        """The results of the tasks, up to the one at which they were stopped."""
        place = threading.get_ident(), bundle.lane
        if place not in self._slots:
            self._slots[place] = _Slot(self._files, self._relocations)
        stopping = self.stopping(bundle.lane)
        results = []
        for task, contents in zip(bundle.tasks, attachments, strict=True):
            if stopping.is_set():
                break
            whole = msgspec.structs.replace(task, attachments=contents)
            if (result := self._slots[place].run(whole, stopping)) is not None:
                results.append(result)
        return results

    def stopping(self, lane: str) -> threading.Event:
        return self._stopping.setdefault(lane, threading.Event())

    def close(self) -> None:
        for stopping in self._stopping.values():
            stopping.set()
        for slot in self._slots.values():
            slot.pool.close(grace=0.0)
        self._stack.close()
        remove_left()  # of the processes of the slots


def _written(folder: Path, path: str, text: bytes) -> str:
    folder.mkdir()
    file = folder / Path(path).name
    file.write_bytes(text)
    return str(file)


class _WorkerState:
    """What this worker keeps between bundles; `changing` guards it."""

    def __init__(self) -> None:
        self.changing = threading.Lock()
        self.memberships: dict[str, _Membership] = {}
        self.contents: LRUCache[str, bytes] = LRUCache(_MAX_CONTENT_BYTES, getsizeof=len)
        self.done = 0
        self.error = ""


_state = _WorkerState()


def run_bundle(message: bytes, worker: str = "") -> bytes:
    """Run an encoded Bundle; return an encoded BundleReply."""
    bundle = msgspec.msgpack.decode(message, type=Bundle)
    reply = _run(bundle, worker or _own_address())
    with _state.changing:
        _state.done += len(reply.results)
        _state.error = next((last_line(each.lost) for each in reply.results if each.lost), _state.error)
        _state.error = reply.refused or _state.error
    return msgspec.msgpack.encode(reply)


def _run(bundle: Bundle, worker: str) -> BundleReply:
    attachments, missing = _received(bundle)
    if missing:
        return BundleReply(worker, missing=missing)
    membership, missing = _join(bundle.setup)
    if membership is None:
        return BundleReply(worker, missing=missing)
    try:
        if membership.refused:
            return BundleReply(worker, refused=membership.refused)
        return BundleReply(worker, tuple(membership.run(bundle, attachments)))
    finally:
        with _state.changing:
            membership.running -= 1


def receive(content: bytes) -> None:
    """Keep a content that was asked for."""
    with _state.changing:
        _state.contents[content_digest(content)] = content


def stop(campaign: str, lane: str) -> None:
    """Ask the tasks of a campaign to end early."""
    with _state.changing:
        if campaign in _state.memberships:
            _state.memberships[campaign].stopping(lane).set()


def leave(campaign: str) -> None:
    """End all processes of a campaign."""
    with _state.changing:
        if campaign in _state.memberships:
            _state.memberships.pop(campaign).close()


def report() -> bytes:
    """An encoded WorkerReport."""
    running = sum(membership.running for membership in _state.memberships.values())
    worker_report = WorkerReport(
        socket.gethostname(), os.getpid(), __version__, running, _state.done, _state.error
    )
    return msgspec.msgpack.encode(worker_report)


def last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def _own_address() -> str:
    import distributed  # noqa: PLC0415 - Dask is optional, and only its workers run this

    return str(distributed.get_worker().address)


def _received(bundle: Bundle) -> tuple[list[dict[str, bytes]], tuple[str, ...]]:
    """The attachments of each task, and the digests of the missing ones."""
    with _state.changing:
        for digest, content in bundle.contents.items():
            if content_digest(content) == digest:
                _state.contents[digest] = content
        own_contents = {d: _state.contents.get(d) for needed_digest in bundle.needs for d in needed_digest}
    missing = tuple(digest for digest, content in own_contents.items() if content is None)
    contents = {digest: content for digest, content in own_contents.items() if content is not None}
    return [
        {digest: contents[digest] for digest in needed_digest if digest in contents}
        for needed_digest in bundle.needs
    ], missing


def _join(digest: str) -> tuple[_Membership | None, tuple[str, ...]]:
    """The membership in the campaign of a setup, or the digests that are missing for it."""
    with _state.changing:
        if digest not in _state.memberships:
            encoded = _state.contents.get(digest)
            if encoded is None:
                return None, (digest,)
            setup = msgspec.msgpack.decode(encoded, type=ClusterSetup)
            attachments = [*setup.plugins.values(), *(build.archive for build in missing_builds(setup))]
            contents = {each: content for each in attachments if (content := _state.contents.get(each))}
            if len(contents) < len(set(attachments)):
                return None, tuple(each for each in attachments if each not in contents)
            # Dask starts its workers as daemons, which may not have children; ours end with this process.
            multiprocessing.current_process().daemon = False
            # Campaigns that ended without a word, with their machine, must not keep solvers here for ever.
            for idle in [name for name, other in _state.memberships.items() if not other.running]:
                _state.memberships.pop(idle).close()
            _state.memberships[digest] = _Membership(setup, contents)
        membership = _state.memberships[digest]
        membership.running += 1
        return membership, ()
