"""Schedule: chooses the next batch; Slot: what was chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

BATCH_COUNT: Final = 8
# How batches are chosen.
LEARN: Final = "learn"
EVEN: Final = "even"
# The configuration in which solvers are asked as they are, and nothing else is compared with them.
PLAIN: Final = ""
# What a new finding counts in the gain of an arm, in mutants with new behaviour.
FINDING_GAIN: Final = 20.0


@dataclass(frozen=True, slots=True)
class Slot:
    """A batch: a strategy, the places of its seeds in the list of seeds, and a configuration of solvers."""

    number: int
    strategy: str
    seeds: tuple[int, ...]
    rng: str
    configuration: str = PLAIN


@dataclass(frozen=True, slots=True)
class Yield:
    """The yield of a batch: mutants with new behaviour, and new findings, each of which counts less the more
    others of its kind are known.

    `cost` is in CPU seconds; `wasted` is added to it for repetitions. `shown` is the number of all findings,
    known ones included. `decided` is the number of mutants that a solver has decided; `is_spent` if the
    strategy has hardly any other mutants.
    """

    new: float
    cost: float
    found: float = 0.0
    wasted: float = 0.0
    shown: int = 0
    decided: int = 0
    is_spent: bool = False
    mostly_timeouts: bool = False


class Schedule(Protocol):
    """Chooses batches; `done` are the numbers of batches recorded by an earlier run."""

    def next(self) -> Slot | None:
        """The next batch to run; None if no seed is left that a strategy can take."""
        ...

    def leave_out(self, seed: int) -> None:
        """Leave out a seed that turned out to be useless."""
        ...

    def exhaust(self, seed: int, strategy: str) -> None:
        """Schedule no more batches of a seed with a strategy that has no more mutants of it."""
        ...

    def drop(self, configuration: str) -> None:
        """Schedule no more batches in a configuration that is of no use."""
        ...

    def learn(self, slot: Slot, result: Yield) -> None:
        """Learn from the yield of a batch."""
        ...
