"""A predicate with a cache, a budget and optional look-ahead in threads."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b
from typing import TypeAlias

# Whether the input with this text still has the property that must be kept.
Predicate: TypeAlias = Callable[[str], bool]


class StopReason(Enum):
    """Why a reduction ended; the value is shown to users."""

    SMALLEST = "no pass makes it smaller"
    TESTS = "test limit reached"
    SECONDS = "time limit reached"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a reduction: number of tests and wall-clock seconds; None means no limit."""

    tests: int | None = None
    seconds: float | None = None


class BudgetExhaustedError(Exception):
    """Raised when the budget is used up."""

    def __init__(self, reason: StopReason) -> None:
        self.reason = reason
        super().__init__(reason.value)


class CachedPredicate:
    """Evaluates a predicate at most once per text, within a budget.

    With one job the predicate runs in the calling thread, with more in a pool of that many threads. Texts
    evaluated ahead of time never change a decision, only how soon it is there: the result of a reduction
    does not depend on the number of jobs.
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
        self.cache_hits = 0

    def holds(self, text: str, ahead: Iterable[str] = ()) -> bool:
        """Whether the predicate holds for a text; `ahead` are the texts to be tested next if it does not."""
        key = _key(text)
        if key in self._known:
            self.cache_hits += 1
            return self._known[key]
        self._check_budget()
        if self._pool is None:
            self.tests += 1
            result = self._predicate(text)
        else:
            future = self._submit(key, text)
            for other in ahead:
                if len(self._pending) >= self.jobs:
                    break
                self._submit(_key(other), other)
            result = future.result()
            self._pending.pop(key, None)
        self._known[key] = result
        return result

    def recheck(self, text: str) -> bool:
        """Evaluates the predicate again, ignoring the cache and the budget."""
        self.tests += 1
        result = self._known[_key(text)] = self._predicate(text)
        return result

    def elapsed(self) -> float:
        """Wall-clock seconds since this object was made."""
        return time.monotonic() - self._started

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def _submit(self, key: bytes, text: str) -> Future[bool]:
        assert self._pool is not None
        future = self._pending.get(key)
        if future is None:
            for done in [k for k, other in self._pending.items() if other.done() and k != key]:
                self._known[done] = self._pending.pop(done).result()
            if key in self._known:
                future = Future()
                future.set_result(self._known[key])
                return future
            self.tests += 1
            future = self._pending[key] = self._pool.submit(self._predicate, text)
        return future

    def _check_budget(self) -> None:
        budget = self._budget
        if budget.tests is not None and self.tests >= budget.tests:
            raise BudgetExhaustedError(StopReason.TESTS)
        if budget.seconds is not None and self.elapsed() >= budget.seconds:
            raise BudgetExhaustedError(StopReason.SECONDS)


def _key(text: str) -> bytes:
    return blake2b(text.encode(errors="surrogateescape"), digest_size=16).digest()
