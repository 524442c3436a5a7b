"""RemoteExaminer: an examiner whose queries are examined by the workers of an executor, such as a cluster."""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final, Generic, Self

import msgspec

from falsum.audits.answers import Respondents
from falsum.audits.orders import Order, QueryResult, QueryTask
from falsum.audits.query.queries import Query
from falsum.audits.run import Examined, Examiner, Row
from falsum.campaign.executors.executor import Executor, Task, TaskResult
from falsum.errors import SurroundingsError
from falsum.solvers.solver import Solver

RUNNER: Final = "falsum.audits.orders:QueryRunner"
# A query is asked many times, each run with limits of its own; a worker that takes longer than this hangs.
_MAX_SECONDS: Final = 7 * 86400.0
_WAIT_SECONDS: Final = 0.2
# So many queries under way for each slot of the cluster, and at least so many, if workers join later.
_PER_SLOT: Final = 2
_LEAST_JOBS: Final = 16


class RemoteExaminer(Generic[Row]):
    """Does what another examiner does, elsewhere; `examine` may be called from many threads."""

    def __init__(
        self, order: Order, local: Examiner[Row], respondents: Respondents, executor: Executor, place: str
    ) -> None:
        self.kind: type[Row] = local.kind
        self.solvers: Sequence[Solver] = local.solvers
        self.words = (*local.words, f"on {place}")
        self._order = order
        self._respondents = respondents
        self._executor = executor
        self._numbers = itertools.count()
        self._waiting: queue.SimpleQueue[tuple[Task, Future[TaskResult]]] = queue.SimpleQueue()
        self._under_way: dict[int, Future[TaskResult]] = {}
        self._end = threading.Event()
        self._record: Any = Examined[local.kind]  # type: ignore[name-defined] # a type of run time
        self._dispatcher = threading.Thread(target=self._dispatch, daemon=True, name="falsum-dispatcher")
        self._dispatcher.start()

    @property
    def jobs(self) -> int:
        """The number of queries to submit at a time."""
        status = self._executor.status
        return max(_LEAST_JOBS, _PER_SLOT * status.slots if status is not None else 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._end.set()
        self._dispatcher.join()
        self._executor.close()

    def examine(self, query: Query, text: str) -> Examined[Row]:
        limits = self._respondents.limits
        order = QueryTask(
            self._order, query.name, text.encode(errors="surrogateescape"), limits.cpu_seconds, limits.memory
        )
        task = Task(next(self._numbers), RUNNER, msgspec.msgpack.encode(order), _MAX_SECONDS)
        future: Future[TaskResult] = Future()
        self._waiting.put((task, future))
        answer = future.result()
        if answer.lost or answer.shortage:
            reason = (answer.lost or answer.shortage).strip().splitlines()[-1]
            raise SurroundingsError(f"{query.name}: not examined: {reason}")
        result = msgspec.msgpack.decode(answer.body, type=QueryResult)
        self._respondents.usage.add(result.cpu, result.runs)
        if result.error:
            raise SurroundingsError(result.error)
        examined: Examined[Row] = msgspec.msgpack.decode(result.examined, type=self._record)
        return examined

    def _dispatch(self) -> None:
        """Submit tasks to the executor and pass results to the callers that wait; executors are used by one
        thread.
        """
        try:
            while not self._end.is_set():
                self._submit()
                for result in self._executor.results(_WAIT_SECONDS):
                    future = self._under_way.pop(result.number, None)
                    if future is not None:  # a task that was run twice has a second result
                        future.set_result(result)
        except Exception as error:  # noqa: BLE001 - it is raised again in the threads that wait
            self._give_up(error)

    def _submit(self) -> None:
        with suppress(queue.Empty):
            while self._executor.idle > 0:
                task, future = self._waiting.get(block=not self._under_way, timeout=_WAIT_SECONDS)
                self._under_way[task.number] = future
                self._executor.submit(task)

    def _give_up(self, error: Exception) -> None:
        """Fail every query that waits, with the reason why no more queries are examined."""
        for future in self._under_way.values():
            future.set_exception(error)
        while not self._end.is_set():
            with suppress(queue.Empty):
                _task, future = self._waiting.get(timeout=_WAIT_SECONDS)
                future.set_exception(error)
