"""Messages between a campaign and the workers of a cluster: bytes of our own encoding."""

from __future__ import annotations

from typing import Final

import msgspec

from falsum.campaign.executors.executor import Task, TaskResult

# Where the scheduler keeps what campaigns note of workers: that they are gone, or why they are not used.
TOPIC: Final = "falsum"


class Bundle(msgspec.Struct, frozen=True):
    """Tasks for one worker, to be run one after the other.

    `setup` is the digest of the campaign's ClusterSetup and `lane` what the tasks are for. Tasks come without
    their attachments, which are named in `needs`; `contents` has those that the worker is thought to lack.
    """

    setup: str
    lane: str
    tasks: tuple[Task, ...]
    needs: tuple[tuple[str, ...], ...]
    contents: dict[str, bytes] = {}


class BundleReply(msgspec.Struct, frozen=True):
    """The results of a bundle, and the worker that ran it.

    There are no results if contents are `missing` on the worker, or if it is `refused`: it cannot take part
    in the campaign.
    """

    worker: str
    results: tuple[TaskResult, ...] = ()
    missing: tuple[str, ...] = ()
    refused: str = ""


class WorkerReport(msgspec.Struct, frozen=True):
    """The report of a worker about itself."""

    host: str
    process: int
    release: str
    running: int
    done: int
    error: str = ""
