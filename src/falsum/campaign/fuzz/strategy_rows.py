"""StrategyRows: the mutants of each strategy of a campaign, and their results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from falsum.campaign.tally import FuzzTally
from falsum.solvers.answer import EndingKind
from falsum.store.records import BatchRecord

_REJECTED: Final = str(EndingKind.REJECTED)
_TIMED_OUT: Final = str(EndingKind.TIMED_OUT)
# CPU time is in seconds: of the solvers, and of falsum itself.
COLUMNS: Final = (
    "made",
    "repeats",
    "rejected by",
    "decided",
    "timed\nout",
    "solver\nCPU",
    "own\nCPU",
    "found",
)


@dataclass(slots=True)
class StrategyRow:
    """`found` are signatures of findings; `saturated` are digests of seeds with no more mutants."""

    tally: FuzzTally = field(default_factory=FuzzTally)
    found: set[str] = field(default_factory=set)
    saturated: set[str] = field(default_factory=set)

    def answers(self, word: str) -> dict[str, int]:
        """The number of answers of each solver with this verdict or ending."""
        return {solver: words.get(word, 0) for solver, words in self.tally.said.items()}

    def cells(self) -> list[str]:
        """The row in the table of strategies, under COLUMNS."""
        tally = self.tally
        rejected = [f"{count} {solver}" for solver, count in self.answers(_REJECTED).items() if count]
        return [
            str(tally.mutants),
            str(tally.repeated),
            "\n".join(rejected) or "0",
            str(tally.decided),
            str(sum(self.answers(_TIMED_OUT).values())),
            f"{tally.solver_cpu:.1f}",
            f"{tally.own_cpu:.1f}",
            str(len(self.found)),
        ]

    def plain(self) -> dict[str, Any]:
        tally = self.tally
        return {
            "made": tally.mutants,
            "repeated": tally.repeated,
            "rejected": self.answers(_REJECTED),
            "decided": tally.decided,
            "timed_out": self.answers(_TIMED_OUT),
            "solver_cpu": round(tally.solver_cpu, 3),
            "own_cpu": round(tally.own_cpu, 3),
            "findings": len(self.found),
            "saturated": len(self.saturated),
        }


class StrategyRows:
    """The rows of a campaign by strategy, in the order of its plan, and their total."""

    def __init__(self, strategies: Iterable[str]) -> None:
        self.total = FuzzTally()
        self.rows = {strategy: StrategyRow() for strategy in strategies}

    def resume(self, batches: Iterable[BatchRecord], sightings: Iterable[tuple[int, int, str]]) -> None:
        """Count earlier runs from the store; a sighting is a batch, a place and a signature."""
        strategies = {}
        for record in batches:
            strategies[record.number] = record.strategy
            self.add(record.strategy, msgspec.convert(record.tally, FuzzTally), ())
        for batch, _place, signature in sightings:
            if batch in strategies:
                self.rows[strategies[batch]].found.add(signature)

    def add(self, strategy: str, tally: FuzzTally, findings: Iterable[str]) -> None:
        row = self.rows.setdefault(strategy, StrategyRow())
        row.tally.add(tally)
        row.found.update(findings)
        self.total.add(tally)

    def saturate(self, strategy: str, seed: str) -> None:
        """Note that a strategy of this campaign has no more mutants of a seed."""
        if strategy in self.rows:
            self.rows[strategy].saturated.add(seed)
