"""Tally: counts and times of a batch, a run, a campaign; tallies add up."""

from __future__ import annotations

from typing import Any

import msgspec

from falsum.solvers.answer import Answer, EndingKind

_MOMENT = 0.5
_MOST_SHARE = 0.5


class Tally(msgspec.Struct):
    """`said` counts per solver what came of a question: a verdict, or the way it ended without one.

    `timeout_seconds` is the time solvers were given in vain; `granted` counts questions that got the full
    limit because somebody else had answered.
    """

    mutants: int = 0
    repeated: int = 0
    too_long: int = 0
    abandoned: int = 0
    granted: int = 0
    said: dict[str, dict[str, int]] = {}
    faults: int = 0
    seconds: float = 0.0
    solver_cpu: float = 0.0
    solver_seconds: float = 0.0
    timeout_seconds: float = 0.0
    own_cpu: float = 0.0

    def hear(self, solver: str, answer: Answer) -> None:
        words = self.said.setdefault(solver, {})
        word = str(answer.verdict or answer.ending.kind) if answer.finished else str(answer.ending.kind)
        words[word] = words.get(word, 0) + 1
        if answer.ending.kind is EndingKind.TIMED_OUT:
            self.timeout_seconds += answer.seconds

    def add(self, other: Tally) -> None:
        for name in self.__struct_fields__:
            mine, more = getattr(self, name), getattr(other, name)
            if name == "said":
                for solver, words in more.items():
                    _add_counts(mine.setdefault(solver, {}), words)
            else:
                setattr(self, name, mine + more)

    def verdicts(self) -> dict[str, int]:
        """What was said, all solvers together."""
        counts: dict[str, int] = {}
        for words in self.said.values():
            _add_counts(counts, words)
        return counts

    @property
    def share_inside_solvers(self) -> float:
        """The share of CPU time spent inside solvers."""
        total = self.solver_cpu + self.own_cpu
        return self.solver_cpu / total if total else 0.0

    @property
    def share_of_timeouts(self) -> float:
        """The share of the time with solvers that ended in time-outs."""
        return self.timeout_seconds / self.solver_seconds if self.solver_seconds else 0.0

    @property
    def is_in_vain(self) -> bool:
        """Whether most of the time with solvers, and more than a moment, was for nothing."""
        return self.timeout_seconds > max(_MOMENT, _MOST_SHARE * self.solver_seconds)

    def plain(self) -> dict[str, Any]:
        built: dict[str, Any] = msgspec.to_builtins(self)
        return built


def _add_counts(mine: dict[str, int], more: dict[str, int]) -> None:
    for word, count in more.items():
        mine[word] = mine.get(word, 0) + count
