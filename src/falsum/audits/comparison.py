"""Comparison: the answers of two solvers to a query in repeated runs, and the outcome for each check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from falsum.audits.answers import CheckAnswer, QueryAnswer
from falsum.audits.rows import Change
from falsum.audits.statistics import MAX_RUNS, fisher_p, median, rank_sum_p
from falsum.smtlib.verdict import Verdict
from falsum.solvers.solver import Solver

# Runs on each side that decide about a suspected difference; of 5 and 5 only a clear one passes: if there is
# no difference, they part like that once in 252 times.
REPEATS: Final = 5
MAX_REPEATS: Final = MAX_RUNS
SIGNIFICANT: Final = 0.01
# What is called slower takes so many times the CPU time, and so many seconds more.
FACTOR: Final = 1.5
SECONDS: Final = 0.1
# First runs that differ by less raise no suspicion.
_SUSPECT_FACTOR: Final = 1.3
_BOTH: Final = frozenset({Verdict.SAT, Verdict.UNSAT})


@dataclass(frozen=True, slots=True)
class Side:
    """The answers of one solver in repeated runs."""

    solver: Solver
    answers: tuple[QueryAnswer, ...] = ()

    @property
    def times(self) -> list[float]:
        return [each.cpu for each in self.answers]

    @property
    def cpu(self) -> float:
        return median(self.times)

    def checks(self, number: int) -> list[CheckAnswer]:
        return [each.checks[number] for each in self.answers if number < len(each.checks)]

    def decided(self, number: int) -> int:
        return sum(each.decided is not None for each in self.checks(number))

    def typical(self, number: int) -> CheckAnswer:
        """The first answer that agrees with most of them."""
        checks = self.checks(number) or [CheckAnswer()]
        words = [each.word for each in checks]
        return max(checks, key=lambda each: words.count(each.word))

    def with_answer(self, answer: QueryAnswer) -> Side:
        return Side(self.solver, (*self.answers, answer))


@dataclass(frozen=True, slots=True)
class Pair:
    """The answers of both solvers, with equal numbers of runs."""

    old: Side
    new: Side

    @property
    def runs(self) -> int:
        return len(self.old.answers)

    def is_mixed(self, number: int) -> bool:
        """Whether a side decides a check in some runs and not in others."""
        return any(0 < side.decided(number) < self.runs for side in (self.old, self.new))

    def agrees(self, number: int) -> bool:
        """Whether all runs decide a check, or none does."""
        return self.old.decided(number) + self.new.decided(number) in (0, 2 * self.runs)


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """A change, in words, with the probability of such a difference by chance."""

    change: Change
    reason: str = ""
    p: float | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """`first` are the runs that look for differences, `further` those that test what they suspect."""

    first: Pair
    further: Pair | None = None
    factor: float = FACTOR

    @property
    def checks(self) -> int:
        return max(len(side.answers[0].checks) for side in (self.first.old, self.first.new))

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return (self.first,) if self.further is None else (self.first, self.further)

    @property
    def last(self) -> Pair:
        return self.further or self.first

    @property
    def suspects(self) -> list[int]:
        """The checks whose first runs differ."""
        return [number for number in range(self.checks) if not self.first.agrees(number)]

    @property
    def is_suspicious(self) -> bool:
        """Whether the first runs differ."""
        return bool(self.suspects) or self.differs_in_time

    @property
    def differs_in_time(self) -> bool:
        return _is_beyond(self.first.old.cpu, self.first.new.cpu, _SUSPECT_FACTOR, SECONDS / 2) or _is_beyond(
            self.first.new.cpu, self.first.old.cpu, _SUSPECT_FACTOR, SECONDS / 2
        )

    def is_contradiction(self, number: int) -> bool:
        """Whether sat and unsat are both among the answers to a check."""
        sides = [side for pair in self.pairs for side in (pair.old, pair.new)]
        return {each.decided for side in sides for each in side.checks(number)} >= _BOTH

    def outcome(self, number: int) -> CheckOutcome:
        """The outcome for a check that is not contradicted."""
        if rejection := self._rejection(number):
            return CheckOutcome(Change.REJECTED, rejection)
        old, new, runs = self.last.old.decided(number), self.last.new.decided(number), self.last.runs
        if self.further is not None and not self.first.agrees(number):
            if (p := fisher_p(new, runs, old, runs)) <= SIGNIFICANT and not new:
                return CheckOutcome(Change.LOST, self.last.new.typical(number).word, p)
            if (p := fisher_p(old, runs, new, runs)) <= SIGNIFICANT and not old:
                return CheckOutcome(Change.WON, self.last.old.typical(number).word, p)
        if reason := self._instability(number):
            return CheckOutcome(Change.UNSTABLE, reason)
        if not old and not new:
            return CheckOutcome(Change.UNDECIDED)
        # CPU time is that of the whole query: it is said at its last check, if all checks are as before.
        if self.further is not None and not self.suspects and number == self.checks - 1:
            return self._time(self.further)
        return CheckOutcome(Change.SAME)

    def _time(self, pair: Pair) -> CheckOutcome:
        before, after = pair.old.times, pair.new.times
        for change, less, more in ((Change.SLOWER, before, after), (Change.FASTER, after, before)):
            p = rank_sum_p(less, more)
            if p <= SIGNIFICANT and _is_beyond(median(less), median(more), self.factor, SECONDS):
                times = f"{median(before):.2f} s of CPU time before, {median(after):.2f} s after"
                return CheckOutcome(change, times, p)
        return CheckOutcome(Change.SAME)

    def _rejection(self, number: int) -> str:
        """Why the new solver rejects what the old one accepts; "" if it does not."""
        before, after = self.first.old.answers[0], self.first.new.answers[0]
        if number >= len(after.checks):
            return "it answers fewer checks"
        if after.rejection and not before.rejection and not after.checks[number].verdict:
            return after.rejection
        is_sat = after.checks[number].decided is Verdict.SAT
        if is_sat and before.models and after.models and before.models != after.models:
            return f"the format of models: {before.models} before, {after.models} after"
        return ""

    def _instability(self, number: int) -> str:
        """Which side decides a check in some runs only; "" if none does."""
        parts = []
        for sides in ([pair.old for pair in self.pairs], [pair.new for pair in self.pairs]):
            decisions, runs = (
                sum(side.decided(number) for side in sides),
                sum(len(side.answers) for side in sides),
            )
            if 0 < decisions < runs:
                parts.append(f"{sides[0].solver.name} decides it in {decisions} of {runs} runs")
        return "; ".join(parts)


def _is_beyond(less: float, more: float, factor: float, seconds: float) -> bool:
    return more > factor * less and more - less > seconds
