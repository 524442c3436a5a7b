"""StrategyRows: what each strategy of a campaign has made, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from falsum.campaign.fuzz.tally import FuzzTally
from falsum.plural import counted
from falsum.solvers.answer import EndingKind
from falsum.store.records import BatchRecord

_REJECTED: Final = str(EndingKind.REJECTED)
_TIMED_OUT: Final = str(EndingKind.TIMED_OUT)


@dataclass(slots=True)
class StrategyRow:
    """`found` are signatures of findings; `saturated` are digests of seeds with no more mutants."""

    tally: FuzzTally = field(default_factory=FuzzTally)
    found: set[str] = field(default_factory=set)
    saturated: set[str] = field(default_factory=set)

    def answers(self, word: str) -> dict[str, int]:
        """How often each solver ended so."""
        return {solver: words.get(word, 0) for solver, words in self.tally.said.items()}

    def line(self) -> str:
        """The row as one line of the summary."""
        tally = self.tally
        rejected = ", ".join(f"{n} by {solver}" for solver, n in self.answers(_REJECTED).items() if n)
        parts = [
            f"{tally.mutants} made",
            f"{tally.repeated} repeated",
            f"rejected: {rejected or 'none'}",
            f"{tally.decided} decided",
            f"{sum(self.answers(_TIMED_OUT).values())} timed out",
            f"{tally.solver_cpu + tally.own_cpu:.1f} s CPU ({tally.own_cpu:.1f} s in falsum)",
            counted(len(self.found), "finding"),
        ]
        if self.saturated:
            parts.append(f"{counted(len(self.saturated), 'seed')} saturated")
        return "; ".join(parts)

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
        """Count what the store has of earlier runs; a sighting is a batch, a place and a signature."""
        strategies = {}
        for record in batches:
            strategies[record.number] = record.strategy
            self.add(record.strategy, msgspec.convert(record.tally, FuzzTally), ())
        for batch, _place, signature in sightings:
            if batch in strategies:
                self.rows[strategies[batch]].found.add(signature)

    def add(self, strategy: str, tally: FuzzTally, found: Iterable[str]) -> None:
        row = self.rows.setdefault(strategy, StrategyRow())
        row.tally.add(tally)
        row.found.update(found)
        self.total.add(tally)

    def saturate(self, strategy: str, seed: str) -> None:
        """Note that a strategy of this campaign has no more mutants of a seed."""
        if strategy in self.rows:
            self.rows[strategy].saturated.add(seed)
