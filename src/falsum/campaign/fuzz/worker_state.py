"""WorkerState: what a worker keeps from batch to batch: warm solvers, time limits, known findings."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Self

from falsum.campaign.fuzz.plan import FuzzPlan
from falsum.campaign.fuzz.presence import Presence
from falsum.campaign.search.behaviour import SeenBehaviour
from falsum.campaign.search.refusals import Refusals
from falsum.campaign.search.time_rules import TimeLimits
from falsum.errors import SurroundingsError, UsageError
from falsum.smtlib.syntax.operator_files import read_operator_file
from falsum.solvers.answer import EndingKind
from falsum.solvers.edge_watch import EdgeWatch
from falsum.solvers.lab import Lab, LiveLab
from falsum.solvers.lab_views import SubsetLab, TimeLimitLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Want
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.store.records import MeasureRecord
from falsum.strategies import BY_NAME, find_strategy, with_operators
from falsum.strategies.mutant import Strategy


class WorkerState:
    """The state of a worker: it influences speed and repeated findings, never which mutants are made."""

    def __init__(
        self,
        solvers: Sequence[Solver],
        timeout: float,
        memory: int,
        strategies: Mapping[str, Strategy] = BY_NAME,
        *,
        time_limits: TimeLimits | None = None,
        operators: str = "",
        gone: Mapping[str, str] | None = None,
    ) -> None:
        self.solvers = {solver.name: solver for solver in solvers}
        self.limits = Limits(seconds=timeout, memory=memory)
        self.lab = LiveLab(solvers, self.limits, watches_edges=True)
        self.time_limits = time_limits or TimeLimits(timeout)
        self.cold = frozenset(name for name, solver in self.solvers.items() if not _has_host(solver))
        # Solvers whose next request starts a host.
        self.without_host = set(self.solvers) - self.cold
        self.history: dict[str, deque[tuple[str, Want]]] = {}
        # By the seed's digest and the solver's identity.
        self.measures: dict[str, dict[str, MeasureRecord]] = {}
        # Signature when found → signature after confirmation; and the signatures sent to the store.
        self.known: dict[str, str] = {}
        self.stored: set[str] = set()
        # Hashes of mutants and their configurations. Workers are replaced before there are too many.
        self.asked: set[int] = set()
        self.behaviour = SeenBehaviour()
        self.refusals = Refusals()
        self.presence = Presence(solvers, gone or {})
        self._given = tuple(self.solvers)
        self._strategies = strategies
        self._operators = read_operator_file(operators) if operators else ()

    @classmethod
    def of(cls, plan: FuzzPlan) -> Self:
        zoo = Zoo()
        solvers, absences = [], {}
        for name in plan.solvers:
            try:
                solvers.append(resolve(name, zoo))
            except (SurroundingsError, UsageError) as error:  # it was there when the campaign began
                absences[name] = str(error)
        limits = TimeLimits(plan.timeout, plan.least, plan.multiple)
        return cls(
            solvers, plan.timeout, plan.memory, time_limits=limits, operators=plan.operators, gone=absences
        )

    def strategy(self, name: str) -> Strategy:
        return with_operators(find_strategy(name, self._strategies), self._operators)

    def add(self, name: str) -> Solver:
        """The solver in another configuration, which is resolved once."""
        if name not in self.solvers:
            solver = resolve(name, Zoo())
            self.solvers[name] = solver
            self.lab.add(solver)
            if _has_host(solver):
                self.without_host.add(name)
            else:
                self.cold |= {name}
        return self.solvers[name]

    def for_strategies(
        self,
        measures: Mapping[str, MeasureRecord],
        cpu: float = math.inf,
        *,
        by_time: bool = False,
        seconds: float = 0.0,
    ) -> Lab:
        """The lab for a strategy in a batch of this CPU time, given the measures of its seeds.

        Solvers of configurations, which batches add, are left out: a batch has the same mutants in any
        worker. So are those that were too late for a seed if time may decide (`by_time`). The strategy has a
        parameter `seconds` of its own, or 0.
        """
        late = {name for name, one in measures.items() if by_time and one.ending == EndingKind.TIMED_OUT}
        in_time = tuple(name for name in self._given if name not in late)
        limit, most_lost = self.time_limits.for_strategies(measures.values(), cpu, seconds)
        return TimeLimitLab(SubsetLab(self.lab, in_time or self._given), limit, most_lost)

    @property
    def edges(self) -> EdgeWatch:
        """What instrumented solvers reach."""
        assert self.lab.edges is not None
        return self.lab.edges

    def identity(self, solver: str) -> str:
        """The name of the solver with its version, as the store identifies it."""
        return f"{solver}={self.solvers[solver].version}"

    def solver_cpu(self) -> float:
        return self.lab.usage.cpu

    def close(self) -> None:
        self.lab.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()


def _has_host(solver: Solver) -> bool:
    return solver.warm_program(solver.prepare("(check-sat)")) is not None
