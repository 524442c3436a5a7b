"""Workplace: what one worker keeps from batch to batch: its solvers, its pace, what it has seen."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Self

from falsum.campaign.fuzz.time_limits import Pace
from falsum.solvers.lab import Lab, LiveLab
from falsum.solvers.lab_views import TimeLimitLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.store.records import MeasureRecord
from falsum.strategies import BY_NAME
from falsum.strategies.compose import find
from falsum.strategies.mutant import Strategy

# What a strategy may spend on one question of its own.
_STRATEGY_SECONDS = 1.0


class Workplace:
    """Warm solvers and memories; a batch run here gives what it gives at any other."""

    def __init__(
        self,
        solvers: Sequence[Solver],
        timeout: float,
        memory: int,
        strategies: Mapping[str, Strategy] = BY_NAME,
    ) -> None:
        self.solvers = {solver.name: solver for solver in solvers}
        self.lab = LiveLab(solvers, Limits(seconds=timeout, memory=memory))
        self.pace = Pace(timeout)
        self.fresh = set(self.solvers)
        self.history: dict[str, deque[tuple[str, Want]]] = {}
        # By the seed's digest and the solver's identity.
        self.measures: dict[str, dict[str, MeasureRecord]] = {}
        # First signature → signature after confirmation, and what was sent to the store.
        self.known: dict[str, str] = {}
        self.stored: set[str] = set()
        self.for_strategies: Lab = TimeLimitLab(self.lab, min(timeout, _STRATEGY_SECONDS))
        self._strategies = strategies

    @classmethod
    def of(cls, names: Sequence[str], timeout: float, memory: int) -> Self:
        zoo = Zoo()
        return cls([resolve(name, zoo) for name in names], timeout, memory)

    def strategy(self, name: str) -> Strategy:
        return find(name, self._strategies)

    def identity(self, solver: str) -> str:
        """The solver as the store knows it: a name alone may mean another release tomorrow."""
        return f"{solver}={self.solvers[solver].version}"

    def solver_cpu(self) -> float:
        return self.lab.ledger.cpu

    def close(self) -> None:
        self.lab.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()
