"""DaskExecutor: an executor on the workers of a Dask cluster.

Every slot of a worker gets one bundle of tasks at a time. Dask runs a bundle again elsewhere when its worker
dies. When the scheduler dies, the client connects again and tasks that were not delivered are submitted anew;
results that arrive twice count once.
"""

from __future__ import annotations

import queue
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import distributed
import msgspec

from falsum.campaign.executors import cluster_worker
from falsum.campaign.executors.bundle_size import BundleSize
from falsum.campaign.executors.cluster_connection import ClusterConnection
from falsum.campaign.executors.executor import Loss, Task, TaskResult, WorkerStatus
from falsum.campaign.executors.messages import Bundle, BundleReply

# How long a lost scheduler may take until it is back.
_RECONNECT_SECONDS: Final = 120.0
# After so many times that all workers died that Dask tried, a task is lost.
_MAX_KILLS: Final = 5
BATCHES: Final = "batches"


@dataclass(frozen=True, slots=True)
class _Sent:
    """A bundle under way."""

    address: str
    tasks: tuple[Task, ...]
    future: distributed.Future


class DaskExecutor:
    """The tasks of one lane; lanes of a campaign share the workers, and each keeps its own processes there.

    With a `share` it uses at most that part of the workers, with one task each, and queues at busy ones;
    without one it uses all free slots.
    """

    def __init__(
        self, connection: ClusterConnection, lane: str = BATCHES, share: float | None = None
    ) -> None:
        self.connection = connection
        self._table = connection.table
        self._lane = lane
        self._share = share
        self._size = BundleSize(time.monotonic(), time.process_time())
        self._waiting: deque[Task] = deque()
        self._under_way: dict[int, Task] = {}
        self._sent: dict[str, _Sent] = {}
        self._done: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._undelivered: list[Task] = []
        # How often Dask has given up on a task, by number.
        self._kills: Counter[int] = Counter()
        self._attempts = 0
        self._is_stopping = False
        self.connection.count_workers()

    @property
    def status(self) -> WorkerStatus | None:
        return self.connection.status

    @property
    def idle(self) -> int:
        self.connection.count_workers()
        if self._is_stopping or self._undelivered:
            return 0
        if self._share is not None:
            return max(0, max(1, int(self._share * self._table.slots)) - self.busy)
        return max(0, self._table.free * self._size.size - len(self._waiting))

    @property
    def busy(self) -> int:
        return len(self._under_way)

    @property
    def bundle_size(self) -> int:
        """The number of tasks sent to a worker at a time."""
        return self._size.size if self._share is None else 1

    def submit(self, task: Task) -> None:
        self._under_way[task.number] = task
        self._waiting.append(task)
        if len(self._waiting) >= self.bundle_size:
            self._flush()

    def results(self, seconds: float) -> Iterator[TaskResult]:
        self._size.look(time.monotonic(), time.process_time())
        self._look_after_connection()
        self._flush()
        with suppress(queue.Empty):
            key = self._done.get(timeout=seconds)
            while True:
                yield from self._taken(key)
                key = self._done.get_nowait()

    def lane(self, name: str, share: float) -> DaskExecutor:
        """Another executor on the same workers, for a part of them; it ends with this one."""
        return DaskExecutor(self.connection, name, share)

    def distrust(self, worker: str, why: str) -> None:
        if worker:
            self.connection.refuse(worker, why)

    def stop(self) -> None:
        self._is_stopping = True
        for task in self._waiting:
            del self._under_way[task.number]
        self._waiting.clear()
        self.connection.tell_all(cluster_worker.stop, self.connection.setup, self._lane)

    def close(self, grace: float = 2.0) -> None:
        """End the tasks of this lane; the connection is closed by who made it."""
        if self.connection.client.status in ("closed", "closing"):
            return
        if not self._is_stopping:
            self.stop()
        until = time.monotonic() + grace
        while self._under_way and time.monotonic() < until:
            list(self.results(0.1))
        with suppress(OSError, TimeoutError):
            self.connection.client.cancel([message.future for message in self._sent.values()], force=True)
        self._sent.clear()
        if self._lane == BATCHES:
            self.connection.close()

    def _flush(self) -> None:
        """Send the waiting tasks in bundles."""
        while self._waiting and self.connection.is_open:
            address = self._table.take() if self._share is None else self._table.queue()
            if not address:
                return
            tasks = tuple(self._waiting.popleft() for _ in range(min(self.bundle_size, len(self._waiting))))
            try:
                self._send(address, tasks)
            except (OSError, TimeoutError):  # the scheduler is gone
                self._table.give_back(address)
                self._undelivered.extend(tasks)

    def _send(self, address: str, tasks: tuple[Task, ...]) -> None:
        needs = tuple(tuple(task.attachments) for task in tasks)
        attachments = {digest: content for task in tasks for digest, content in task.attachments.items()}
        attachments[self.connection.setup] = self.connection.contents[self.connection.setup]
        contents = {digest: attachments[digest] for digest in self._table.lacks(address, attachments)}
        bare = tuple(msgspec.structs.replace(task, attachments={}) for task in tasks)
        message = msgspec.msgpack.encode(Bundle(self.connection.setup, self._lane, bare, needs, contents))
        self.connection.sent_bytes += len(message)
        self._attempts += 1
        key = f"falsum-{self.connection.setup}-{self._lane}-{tasks[0].number}-{self._attempts}"
        future = self.connection.client.submit(
            cluster_worker.run_bundle,
            message,
            key=key,
            pure=False,
            workers=[address],
            allow_other_workers=True,  # if this one dies
        )
        self._sent[key] = _Sent(address, tasks, future)
        future.add_done_callback(lambda result: self._done.put(str(result.key)))

    def _taken(self, key: str) -> Iterator[TaskResult]:
        bundle = self._sent.pop(key, None)
        if bundle is None:
            return  # delivered already
        self._table.give_back(bundle.address)
        if bundle.future.status in ("cancelled", "lost"):
            self._undelivered.extend(bundle.tasks)
            return
        try:
            answer: bytes = bundle.future.result(timeout=_RECONNECT_SECONDS)
        except (OSError, TimeoutError, distributed.CancelledError):
            self._undelivered.extend(bundle.tasks)  # the worker or the scheduler died with the result
        except distributed.KilledWorker as error:
            yield from self._killed(bundle, str(error))
        except Exception as error:  # noqa: BLE001 - whatever went wrong at the worker is the task's, not ours
            yield from self._lost(bundle.tasks, f"{type(error).__name__}: {error}")
        else:
            bundle.future.release()
            try:
                reply = msgspec.msgpack.decode(answer, type=BundleReply)
            except (msgspec.DecodeError, TypeError, UnicodeDecodeError):
                self._undelivered.extend(bundle.tasks)
                self.connection.refuse(bundle.address, "what it returns is no reply")
                return
            self.connection.received_bytes += len(answer)
            yield from self._answered(bundle, reply)

    def _answered(self, bundle: _Sent, reply: BundleReply) -> Iterator[TaskResult]:
        if reply.worker != bundle.address:
            self.connection.repeated += len(bundle.tasks)
        if reply.refused:
            self.connection.refuse(reply.worker, reply.refused)
        if reply.missing:
            self._table.forget(reply.worker, reply.missing)
            own = [digest for digest in reply.missing if digest in self.connection.contents]
            self.connection.deliver(reply.worker, own)
            self._table.occupy(reply.worker)
            self._send(reply.worker, bundle.tasks)
            return
        for result in reply.results:
            if self._is_finished(result):
                yield msgspec.structs.replace(result, worker=reply.worker)
        tasks = tuple(task for task in bundle.tasks if task.number in self._under_way)
        if self._is_stopping:
            for task in tasks:
                del self._under_way[task.number]
        else:
            self._undelivered.extend(tasks)

    def _killed(self, bundle: _Sent, why: str) -> Iterator[TaskResult]:
        """Handle a bundle that Dask gave up because several workers died with it.

        Tasks run in processes of their own, so they are hardly ever the cause; but a task to which this
        happens repeatedly counts as lost.
        """
        self._kills.update(task.number for task in bundle.tasks)
        again = [task for task in bundle.tasks if self._kills[task.number] < _MAX_KILLS]
        self._undelivered.extend(again)
        given_up = [task for task in bundle.tasks if task not in again]
        yield from self._lost(given_up, f"KilledWorker: {why}", Loss.KILLED)

    def _lost(self, tasks: Iterable[Task], why: str, loss: Loss = Loss.FAULT) -> Iterator[TaskResult]:
        for task in tasks:
            result = TaskResult(task.number, lost=why, loss=loss)
            if self._is_finished(result):
                yield result

    def _is_finished(self, result: TaskResult) -> bool:
        """Whether this is the first valid result of its task."""
        is_first = self._under_way.pop(result.number, None) is not None
        self._kills.pop(result.number, None)
        return is_first and not (self._is_stopping and result.lost)

    def _look_after_connection(self) -> None:
        """Send undelivered tasks as soon as the scheduler is back."""
        if not self.connection.is_open or self._is_stopping or not self._undelivered:
            return
        self.connection.count_workers()
        if self._table.slots:
            self.connection.repeated += len(self._undelivered)
            self._waiting.extendleft(self._undelivered)
            self._undelivered.clear()
