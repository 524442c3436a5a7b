"""Tally: counts and times of a batch or of all batches of a campaign; tallies add up."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final, Self

import msgspec

from falsum.solvers.answer import Answer, EndingKind
from falsum.solvers.messages import without_call_noise
from falsum.store.totals import tally_sum

# A strategy that repeats itself so often in one batch has hardly any other mutants of its seeds.
MAX_REPEATS: Final = 100
_MOMENT_SECONDS: Final = 0.25
_MAX_TIMEOUT_SHARE: Final = 0.5


class Tally(msgspec.Struct):
    """Fields are numbers, or dictionaries of them."""

    def add(self, other: Self) -> None:
        for name in self.__struct_fields__:
            mine, more = getattr(self, name), getattr(other, name)
            setattr(self, name, tally_sum(mine, more) if isinstance(mine, dict) else mine + more)

    def plain(self) -> dict[str, Any]:
        plain_tally: dict[str, Any] = msgspec.to_builtins(self)
        return plain_tally


class FuzzTally(Tally):
    """`said` counts the answers of each solver: verdicts, and endings without a verdict.

    `decided` counts the mutants that some solver answered with sat or unsat.

    `variants` does so for solvers in other configurations.

    `not_sent` counts, for each solver, the seeds with commands that it does not get, by command. `rejections`
    counts the messages of those that rejected it. `timeout_seconds` is solver time lost to time-outs;
    `granted` counts requests repeated with much more time because another solver had answered; `abandoned`
    counts mutants given up by all solvers, `unconfirmed` crashes that no new process showed, `models_left`
    mutants and seeds with more models than are looked at.
    """

    mutants: int = 0
    decided: int = 0
    repeated: int = 0
    too_long: int = 0
    not_horn: int = 0
    abandoned: int = 0
    granted: int = 0
    unconfirmed: int = 0
    models_left: int = 0
    said: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    rejections: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    variants: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    not_sent: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    faults: int = 0
    seconds: float = 0.0
    solver_cpu: float = 0.0
    solver_seconds: float = 0.0
    timeout_seconds: float = 0.0
    own_cpu: float = 0.0

    def count(self, solver: str, answer: Answer, *, is_variant: bool = False) -> None:
        counts = (self.variants if is_variant else self.said).setdefault(solver, {})
        word = str(answer.verdict or answer.ending.kind) if answer.finished else str(answer.ending.kind)
        counts[word] = counts.get(word, 0) + 1
        if answer.ending.kind is EndingKind.REJECTED and not is_variant:
            messages = self.rejections.setdefault(solver, {})
            message = without_call_noise(answer.ending.detail) or str(answer.ending.cause)
            messages[message] = messages.get(message, 0) + 1
        if answer.ending.kind is EndingKind.TIMED_OUT:
            self.timeout_seconds += answer.seconds

    def count_not_sent(self, solver: str, left_out: tuple[str, ...]) -> None:
        """Count a seed that a solver does not get completely."""
        for what in left_out:
            counts = self.not_sent.setdefault(solver, {})
            counts[what] = counts.get(what, 0) + 1

    def answers(self) -> Counter[str]:
        """The answers of all solvers together."""
        total: Counter[str] = Counter()
        for counts in self.said.values():
            total.update(counts)
        return total

    @property
    def is_spent(self) -> bool:
        """Whether the strategy has hardly any mutants left besides those of the batch."""
        return self.repeated >= MAX_REPEATS

    @property
    def timeout_share(self) -> float:
        """The share of solver time that was lost to time-outs."""
        return self.timeout_seconds / self.solver_seconds if self.solver_seconds else 0.0

    @property
    def mostly_timeouts(self) -> bool:
        """Whether most of the solver time, and more than a moment, was lost to time-outs."""
        return self.timeout_seconds > max(_MOMENT_SECONDS, _MAX_TIMEOUT_SHARE * self.solver_seconds)
