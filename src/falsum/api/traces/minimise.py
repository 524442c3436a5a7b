"""Minimising: a trace made small while the same goes wrong when it is replayed.

Passes propose edits of lines; `ddmin` decides how many are tried at once. A candidate may hold lines that
are not possible any more: a replay leaves them out, and what it did is the next trace. What counts is that
the outcome's signature stays, not what the library says in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from falsum.api.traces.passes import ALL, Edit, Picture, edited, tidied
from falsum.api.traces.trace import Line, Trace, from_lines, read_trace
from falsum.ddmin import Budget, BudgetExhaustedError, CachedPredicate, StopReason, ddmin

if TYPE_CHECKING:
    from falsum.api.fuzzer import Fuzzer
    from falsum.api.run import Outcome

_BUDGET: Final = Budget(tests=2000, seconds=60.0)
Size: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Minimised:
    """`outcome` is that of the small trace, in a fresh child; None if it does not show it there."""

    trace: Trace
    outcome: Outcome | None
    lines_before: int
    tests: int
    seconds: float
    stop: StopReason

    @property
    def is_confirmed(self) -> bool:
        return self.outcome is not None

    @property
    def share(self) -> float:
        """How much smaller it is: 0.9 says that a tenth of the lines is left."""
        return 1 - len(self.trace.steps) / max(1, self.lines_before)


def minimise(fuzzer: Fuzzer, outcome: Outcome, budget: Budget = _BUDGET) -> Minimised:
    """The smallest trace the passes can make of a wrong outcome's.

    Tried in a child that stays; if the result does not show it in a fresh one, tried again in fresh ones.
    """
    for cold in (False, True):
        search = _Search(fuzzer, outcome, budget, cold=cold)
        stop = search.run()
        again = fuzzer.replay(search.trace, like=outcome)
        confirmed = again if again.agrees_with(outcome) else None
        if confirmed is not None or cold:
            break
    found = confirmed.trace if confirmed is not None else search.trace
    predicate = search.predicate
    return Minimised(found, confirmed, len(outcome.trace.steps), predicate.tests, predicate.elapsed(), stop)


class _Search:
    """One search; `trace` is the smallest so far."""

    def __init__(self, fuzzer: Fuzzer, outcome: Outcome, budget: Budget, *, cold: bool) -> None:
        self._fuzzer = fuzzer
        self._wanted = outcome
        self._cold = cold
        self._shown: Trace | None = None
        self.predicate = CachedPredicate(self._holds, budget=budget)
        self.trace = outcome.trace

    def run(self) -> StopReason:
        try:
            while self._round():
                pass
            self._try(from_lines(tidied(self.trace.lines), self.trace.header), smaller=False)
        except BudgetExhaustedError as end:
            return end.reason
        return StopReason.SMALLEST

    def _round(self) -> bool:
        before = size(self.trace.lines)
        for one in ALL:
            self._run(one)
        return size(self.trace.lines) < before

    def _run(self, one: Callable[[Picture], Iterator[Edit]]) -> None:
        start = self.trace
        base = start.lines
        edits = list(one(Picture(base, self._fuzzer.retold(start))))
        accepted: list[Edit] = []

        def attempt(some: Sequence[Edit], _ahead: Iterator[Sequence[Edit]]) -> bool:
            lines = edited(base, [*accepted, *some])
            if lines is None or not self._try(from_lines(lines, start.header)):
                return False
            accepted.extend(some)
            return True

        ddmin(edits, attempt, lambda _edit, _good: None)

    def _try(self, candidate: Trace, *, smaller: bool = True) -> bool:
        if smaller and size(candidate.lines) >= size(self.trace.lines):
            return False
        self._shown = None
        if not self.predicate.holds(str(candidate)):
            return False
        if self._shown is not None:
            self.trace = self._shown
        return True

    def _holds(self, text: str) -> bool:
        again = self._fuzzer.replay(read_trace(text), cold=self._cold, like=self._wanted)
        if not again.agrees_with(self._wanted):
            return False
        self._shown = again.trace
        return True


def size(lines: Sequence[Line]) -> Size:
    """Lines first, then their arguments, then letters, then what numbers add up to."""
    texts = [str(line) for line in lines]
    words = [word for line in lines for word in line.args]
    numbers = sum(int(word) for word in words if word.isdigit() and len(word) < 10)
    return len(lines), len(words), sum(map(len, texts)), numbers
