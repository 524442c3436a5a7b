"""ClusterConnection: the connection to the scheduler of a Dask cluster, and a table of its workers."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import distributed
import msgspec

from falsum.campaign.executors import cluster_worker
from falsum.campaign.executors.cluster_setup import SetupContents
from falsum.campaign.executors.executor import WorkerStatus, content_digest
from falsum.campaign.executors.messages import TOPIC
from falsum.campaign.executors.worker_table import WorkerTable
from falsum.errors import SurroundingsError

# How long a cluster may take until its first worker is there.
JOIN_SECONDS: Final = 300.0
# How often the workers are counted.
_COUNT_SECONDS: Final = 1.0
# How often workers that are missing are started. Dask starts a worker again that dies, but not one that dies
# while it starts.
_START_SECONDS: Final = 10.0


class ClusterConnection:
    """`cluster` is closed with the connection; None if somebody else started it. So many `workers` of it are
    started again when they are gone.
    """

    def __init__(
        self, client: distributed.Client, setup: SetupContents, cluster: Any = None, workers: int = 0
    ) -> None:
        self.client = client
        self.table = WorkerTable()
        encoded = msgspec.msgpack.encode(setup.setup)
        # The digest of the setup is what workers know the campaign by.
        self.setup = content_digest(encoded)
        self.contents = {**setup.contents, self.setup: encoded}
        self.repeated = 0
        self.sent_bytes = 0
        self.received_bytes = 0
        self._cluster = cluster
        self._workers = workers
        self._started = time.monotonic()
        self._counted = 0.0
        self._wait_for_a_worker()

    @property
    def status(self) -> WorkerStatus:
        self.count_workers()
        table = self.table
        address = str(self.client.scheduler.address) if self.client.scheduler is not None else ""
        return WorkerStatus(
            address, table.workers, table.slots, table.lost, self.repeated, dict(table.refused)
        )

    @property
    def is_open(self) -> bool:
        """Whether the scheduler answers; raises SurroundingsError if it is gone for good."""
        if self.client.status in ("closed", "closing"):
            raise SurroundingsError(
                "the connection to the scheduler is lost; start it again, then go on with --resume"
            )
        return bool(self.client.status == "running")

    def count_workers(self) -> None:
        """Update the table of workers from time to time."""
        if time.monotonic() - self._counted > _COUNT_SECONDS:
            # While the scheduler is away, the last count is as good as any.
            with suppress(OSError):
                present = self.client.nthreads()
                for address in self.table.update(present):
                    self._note(address, "it is gone")
                self._start_missing(len(present))
            self._counted = time.monotonic()

    def _start_missing(self, present: int) -> None:
        if present >= self._workers or time.monotonic() - self._started < _START_SECONDS:
            return
        self._started = time.monotonic()
        self._cluster.scale(self._workers)

    def refuse(self, address: str, why: str) -> None:
        """Give no more tasks to a worker."""
        logging.getLogger("falsum").warning("worker %s is not used: %s", address, why)
        self._note(address, why)
        self.table.refuse(address, why)

    def deliver(self, address: str, digests: list[str]) -> None:
        """Send contents of the setup to a worker that lacks them."""
        for digest in digests:
            self.sent_bytes += len(self.contents[digest])
            with suppress(OSError):  # a worker that dies asks for nothing
                self.client.run(
                    cluster_worker.receive, self.contents[digest], workers=[address], on_error="ignore"
                )

    def tell_all(self, function: Callable[..., None], *arguments: str) -> None:
        """Call a function at every worker that can be reached."""
        with suppress(OSError, TimeoutError):
            self.client.run(function, *arguments, on_error="ignore")

    def close(self) -> None:
        if self.client.status in ("closed", "closing"):
            return
        self.tell_all(cluster_worker.leave, self.setup)
        self.client.close()
        if self._cluster is not None:
            self._cluster.close()

    def _note(self, address: str, what: str) -> None:
        with suppress(OSError):
            self.client.log_event(TOPIC, {"worker": address, "error": what})

    def _wait_for_a_worker(self) -> None:
        try:
            self.client.wait_for_workers(1, timeout=JOIN_SECONDS)
        except TimeoutError as error:
            raise SurroundingsError(
                f"the cluster has no worker after {JOIN_SECONDS:.0f} s; are its jobs waiting in a queue?"
            ) from error
