"""Asks the predicate: remembers what was asked, counts, keeps to a budget, may ask ahead in threads."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b
from typing import TypeAlias

# Whether the script with this text still shows what it shall show.
Predicate: TypeAlias = Callable[[str], bool]


class StopReason(Enum):
    """Why a reduction ended; the value says it in words."""

    SMALLEST = "nothing more can be taken away"
    TESTS = "the number of tests allowed is used up"
    SECONDS = "the time allowed is used up"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Budget:
    """How many tests and seconds a reduction may take; None is no limit."""

    tests: int | None = None
    seconds: float | None = None


class EndedError(Exception):
    """The budget is used up."""

    def __init__(self, reason: StopReason) -> None:
        self.reason = reason
        super().__init__(reason.value)


class Asker:
    """With one job the predicate is called in this thread; with more, in as many others.

    Asking ahead never changes what is decided, only how soon: the same script comes out for any number of
    jobs.
    """

    def __init__(self, predicate: Predicate, jobs: int = 1, budget: Budget | None = None) -> None:
        self._predicate = predicate
        self._budget = budget or Budget()
        self._started = time.monotonic()
        self._known: dict[bytes, bool] = {}
        self._pending: dict[bytes, Future[bool]] = {}
        self._pool = ThreadPoolExecutor(jobs, "falsum-reduce") if jobs > 1 else None
        self.jobs = jobs
        self.tests = 0
        self.remembered = 0

    def ask(self, text: str, ahead: Iterable[str] = ()) -> bool:
        """Whether the predicate holds; `ahead` are texts that will be asked for next if it does not."""
        key = _key(text)
        if key in self._known:
            self.remembered += 1
            return self._known[key]
        self._check_budget()
        if self._pool is None:
            self.tests += 1
            answer = self._predicate(text)
        else:
            future = self._submit(key, text)
            for other in ahead:
                if len(self._pending) >= self.jobs:
                    break
                self._submit(_key(other), other)
            answer = future.result()
            self._pending.pop(key, None)
        self._known[key] = answer
        return answer

    def again(self, text: str) -> bool:
        """Asks anew, whatever was said before and whatever is left of the budget."""
        self.tests += 1
        answer = self._known[_key(text)] = self._predicate(text)
        return answer

    def seconds(self) -> float:
        return time.monotonic() - self._started

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def _submit(self, key: bytes, text: str) -> Future[bool]:
        assert self._pool is not None
        known = self._pending.get(key)
        if known is None:
            for done in [k for k, future in self._pending.items() if future.done() and k != key]:
                self._known[done] = self._pending.pop(done).result()
            if key in self._known:
                known = Future()
                known.set_result(self._known[key])
                return known
            self.tests += 1
            known = self._pending[key] = self._pool.submit(self._predicate, text)
        return known

    def _check_budget(self) -> None:
        budget = self._budget
        if budget.tests is not None and self.tests >= budget.tests:
            raise EndedError(StopReason.TESTS)
        if budget.seconds is not None and self.seconds() >= budget.seconds:
            raise EndedError(StopReason.SECONDS)


def _key(text: str) -> bytes:
    return blake2b(text.encode(errors="surrogateescape"), digest_size=16).digest()
