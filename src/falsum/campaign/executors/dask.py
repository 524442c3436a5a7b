"""DaskExecutor: an executor on the workers of a Dask cluster.

Dask runs a task again elsewhere when its worker dies. When the scheduler dies, the client connects again and
tasks that were not delivered are submitted anew; results that arrive twice count once.
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

import distributed
import msgspec

from falsum.campaign.executors import cluster_worker
from falsum.campaign.executors.cluster_worker import ClusterSetup, WorkerReply
from falsum.campaign.executors.executor import Task, TaskResult
from falsum.errors import SurroundingsError

# How long a cluster may take until its first worker is there, and a lost scheduler until it is back.
JOIN_SECONDS: Final = 300.0
_RECONNECT_SECONDS: Final = 120.0
# How often the workers are counted.
_COUNT_SECONDS: Final = 1.0


class DaskExecutor:
    """`cluster` is closed with the executor; None if somebody else started it."""

    def __init__(self, client: distributed.Client, setup: ClusterSetup, cluster: Any = None) -> None:
        self._client = client
        self._cluster = cluster
        self._campaign = setup.campaign
        self._setup = msgspec.msgpack.encode(setup)
        self._shipped: distributed.Future | None = None
        self._under_way: dict[int, Task] = {}
        self._futures: dict[int, distributed.Future] = {}
        self._done: queue.SimpleQueue[tuple[int, distributed.Future]] = queue.SimpleQueue()
        self._undelivered: list[Task] = []
        self._attempts = 0
        self._threads: dict[str, int] = {}
        self._counted = 0.0
        self._is_stopping = False
        self.refused: dict[str, str] = {}
        self.resubmitted = 0
        self._wait_for_a_worker()

    @property
    def idle(self) -> int:
        if self._is_stopping or self._undelivered:
            return 0
        return max(0, self.slots - self.busy)

    @property
    def busy(self) -> int:
        return len(self._under_way)

    @property
    def slots(self) -> int:
        """How many tasks the workers can run at once."""
        if time.monotonic() - self._counted > _COUNT_SECONDS:
            # While the scheduler is away, the last count is as good as any.
            with suppress(OSError):
                self._threads = dict(self._client.nthreads())
            self._counted = time.monotonic()
        return sum(threads for address, threads in self._threads.items() if address not in self.refused)

    def submit(self, task: Task) -> None:
        self._under_way[task.number] = task
        self._send(task)

    def results(self, seconds: float) -> Iterator[TaskResult]:
        self._look_after_connection()
        with suppress(queue.Empty):
            number, future = self._done.get(timeout=seconds)
            while True:
                yield from self._taken(number, future)
                number, future = self._done.get_nowait()

    def stop(self) -> None:
        self._is_stopping = True
        with suppress(OSError):
            self._client.run(cluster_worker.stop, self._campaign, on_error="ignore")

    def close(self, grace: float = 2.0) -> None:
        if self._client.status in ("closed", "closing"):
            return
        if not self._is_stopping:
            self.stop()
        until = time.monotonic() + grace
        while self._under_way and time.monotonic() < until:
            list(self.results(0.1))
        with suppress(OSError, TimeoutError):
            self._client.cancel(list(self._futures.values()), force=True)
            self._client.run(cluster_worker.leave, self._campaign, on_error="ignore")
        self._futures.clear()
        self._shipped = None
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    def _wait_for_a_worker(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=JOIN_SECONDS)
        except TimeoutError as error:
            raise SurroundingsError(
                f"the cluster has no worker after {JOIN_SECONDS:.0f} s; are its jobs waiting in a queue?"
            ) from error

    def _send(self, task: Task) -> None:
        if self._shipped is None:
            # Dask sends it once to every worker that needs it.
            self._shipped = self._client.scatter(self._setup, hash=False)
        self._attempts += 1
        accepted = [address for address in self._threads if address not in self.refused]
        future = self._client.submit(
            cluster_worker.run_task,
            self._shipped,
            msgspec.msgpack.encode(task),
            key=f"falsum-{self._campaign}-{task.number}-{self._attempts}",
            pure=False,
            workers=accepted if self.refused else None,
        )
        self._futures[task.number] = future
        future.add_done_callback(lambda done: self._done.put((task.number, done)))

    def _taken(self, number: int, future: distributed.Future) -> Iterator[TaskResult]:
        task = self._under_way.get(number)
        latest: Any = self._futures.get(number)
        if task is None or latest is not future:
            return  # delivered already
        if future.status in ("cancelled", "lost"):
            self._undelivered.append(task)
            return
        try:
            reply = msgspec.msgpack.decode(future.result(timeout=_RECONNECT_SECONDS), type=WorkerReply)
        except (OSError, TimeoutError, distributed.CancelledError):
            self._undelivered.append(task)  # the worker or the scheduler died with the result
            return
        except Exception as error:  # noqa: BLE001 - whatever went wrong at the worker is the task's, not ours
            yield from self._finished(TaskResult(number, lost=f"{type(error).__name__}: {error}"))
            return
        if reply.result is None:
            self._refuse(future, reply.refused)
            self._undelivered.append(task)
        else:
            yield from self._finished(reply.result)

    def _finished(self, result: TaskResult) -> Iterator[TaskResult]:
        del self._under_way[result.number]
        self._futures.pop(result.number).release()
        if not (self._is_stopping and result.lost):
            yield result

    def _refuse(self, future: distributed.Future, why: str) -> None:
        """Give no more tasks to the worker that answered."""
        for address in self._client.who_has([future]).get(future.key, ()):
            self.refused[address] = why
            logging.getLogger("falsum").warning("worker %s is not used: %s", address, why)
        if self._threads and all(address in self.refused for address in self._threads):
            raise SurroundingsError(f"no worker of the cluster can take part: {why}")

    def _look_after_connection(self) -> None:
        """Send what was not delivered as soon as there is a scheduler again."""
        if self._client.status in ("closed", "closing"):
            raise SurroundingsError(
                "the connection to the scheduler is lost; start it again, then go on with --resume"
            )
        if self._client.status == "running" and not self._is_stopping and self.slots:
            self._shipped = None if self._undelivered else self._shipped
            while self._undelivered:
                try:
                    self._send(self._undelivered[-1])
                except (OSError, TimeoutError):  # gone again; the next look tries once more
                    return
                self._undelivered.pop()
                self.resubmitted += 1
