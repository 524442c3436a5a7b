"""Threads that work on queries: solvers are processes of their own, so threads are enough."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Generic, TypeVar

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class _Failure:
    """An exception of a worker, on its way to the caller."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class _End:
    """Tells a worker that no tasks are left."""


class Crew(Generic[_Task, _Result]):
    """Threads that work on tasks. Ctrl-C waits for none of them: the program ends together with its
    solvers.
    """

    def __init__(self, work: Callable[[_Task], _Result], jobs: int) -> None:
        self._work = work
        self._jobs = jobs
        self._stop = threading.Event()

    def results(self, tasks: Iterable[_Task]) -> Generator[tuple[_Task, _Result]]:
        """Each task with its result, in the order of completion."""
        waiting = iter(tasks)
        lock = threading.Lock()
        ready: queue.Queue[tuple[_Task, _Result] | _Failure | _End] = queue.Queue()
        threads = [
            threading.Thread(target=self._run, args=(waiting, lock, ready), daemon=True, name="falsum-audit")
            for _ in range(self._jobs)
        ]
        for thread in threads:
            thread.start()
        try:
            running = len(threads)
            while running:
                item = ready.get()
                if isinstance(item, _End):
                    running -= 1
                elif isinstance(item, _Failure):
                    raise item.error
                else:
                    yield item
        except KeyboardInterrupt:
            threads.clear()
            raise
        finally:
            self._stop.set()
            for thread in threads:
                thread.join()

    def _run(
        self,
        waiting: Iterator[_Task],
        lock: threading.Lock,
        ready: queue.Queue[tuple[_Task, _Result] | _Failure | _End],
    ) -> None:
        try:
            while not self._stop.is_set():
                with lock:
                    task = next(waiting, None)
                if task is None:
                    break
                ready.put((task, self._work(task)))
        except BaseException as error:  # noqa: BLE001 - it is raised again in the caller's thread
            ready.put(_Failure(error))
        finally:
            ready.put(_End())
