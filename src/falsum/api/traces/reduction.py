"""TraceReduction: makes a trace small while it still shows the same failure.

Passes propose edits of lines, and `ddmin` decides how many are tried at once. A candidate may have lines that
are not possible any more: a replay skips them, and the trace of the replay is the new trace. Only the
signature of the failure must stay the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from falsum.api.trace import Line, Trace, from_lines, read_trace
from falsum.api.traces.passes import ALL, Edit, TracePass, TraceView, apply_edits, renumber
from falsum.ddmin import Budget, BudgetExhaustedError, CachedPredicate, StopReason, ddmin

if TYPE_CHECKING:
    from falsum.api.model.mirror import Mirror
    from falsum.api.run_result import RunResult

_BUDGET: Final = Budget(tests=2000, seconds=60.0)
Size: TypeAlias = tuple[int, int, int, int]
# Whether a run ends with the failure that is to be kept.
IsSame: TypeAlias = "Callable[[RunResult], bool]"


class Replayer(Protocol):
    """What reduction needs of a fuzzer."""

    def replay(self, trace: Trace, *, cold: bool = True, like: RunResult | None = None) -> RunResult: ...

    def mirror_after(self, trace: Trace) -> Mirror: ...


@dataclass(frozen=True, slots=True)
class TraceReduction:
    """The reduced trace; `result` is that of a replay in a fresh child, None if it shows no failure."""

    trace: Trace
    result: RunResult | None
    lines_before: int
    tests: int
    seconds: float
    stop: StopReason

    @property
    def is_confirmed(self) -> bool:
        return self.result is not None

    @property
    def removed_share(self) -> float:
        """The share of lines that was removed."""
        return 1 - len(self.trace.steps) / max(1, self.lines_before)


def reduce_trace(
    replayer: Replayer, result: RunResult, budget: Budget = _BUDGET, is_same: IsSame | None = None
) -> TraceReduction:
    """Reduce the trace of a failure while it shows the same one: as `is_same` says, or by its signature.

    Candidates are replayed in one child; if the reduced trace does not show the failure in a fresh one, the
    reduction is repeated with a fresh child for each candidate.
    """
    for cold in (False, True):
        search = _Search(replayer, result, budget, is_same or result.is_same_failure, cold=cold)
        stop = search.run()
        replayed = replayer.replay(search.trace, like=result)
        confirmation = replayed if search.is_same(replayed) else None
        if confirmation is not None or cold:
            break
    smallest = confirmation.trace if confirmation is not None else search.trace
    predicate = search.predicate
    return TraceReduction(
        smallest, confirmation, len(result.trace.steps), predicate.tests, predicate.elapsed(), stop
    )


class _Search:
    """One search; `trace` is the smallest so far."""

    def __init__(
        self, replayer: Replayer, failure: RunResult, budget: Budget, is_same: IsSame, *, cold: bool
    ) -> None:
        self._replayer = replayer
        self.is_same = is_same
        self._failure = failure
        self._cold = cold
        self._replayed: Trace | None = None
        self.predicate = CachedPredicate(self._shows_failure, budget=budget)
        self.trace = failure.trace

    def run(self) -> StopReason:
        try:
            while self._run_all_passes():
                pass
            self._try(from_lines(renumber(self.trace.lines), self.trace.header), must_be_smaller=False)
        except BudgetExhaustedError as end:
            return end.reason
        except KeyboardInterrupt:
            return StopReason.INTERRUPTED
        return StopReason.SMALLEST

    def _run_all_passes(self) -> bool:
        """Whether the trace has become smaller."""
        before = size(self.trace.lines)
        for trace_pass in ALL:
            self._run_pass(trace_pass)
        return size(self.trace.lines) < before

    def _run_pass(self, trace_pass: TracePass) -> None:
        start = self.trace
        base = start.lines
        edits = list(trace_pass(TraceView(base, self._replayer.mirror_after(start))))
        accepted: list[Edit] = []

        def attempt(some: Sequence[Edit], _ahead: Iterator[Sequence[Edit]]) -> bool:
            lines = apply_edits(base, [*accepted, *some])
            if lines is None or not self._try(from_lines(lines, start.header)):
                return False
            accepted.extend(some)
            return True

        ddmin(edits, attempt, lambda _edit, _good: None)

    def _try(self, candidate: Trace, *, must_be_smaller: bool = True) -> bool:
        if must_be_smaller and size(candidate.lines) >= size(self.trace.lines):
            return False
        self._replayed = None
        if not self.predicate.holds(str(candidate)):
            return False
        if self._replayed is not None:
            self.trace = self._replayed
        return True

    def _shows_failure(self, text: str) -> bool:
        result = self._replayer.replay(read_trace(text), cold=self._cold, like=self._failure)
        if not self.is_same(result):
            return False
        self._replayed = result.trace
        return True


def size(lines: Sequence[Line]) -> Size:
    """Numbers of lines, arguments and characters, and the sum of all numbers, compared in this order."""
    texts = [str(line) for line in lines]
    words = [word for line in lines for word in line.args]
    numbers = sum(int(word) for word in words if word.isdigit() and len(word) < 10)
    return len(lines), len(words), sum(map(len, texts)), numbers
