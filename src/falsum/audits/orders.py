"""Order: the work of one of the three commands, as plain data, so that any process can do it.

Workers of a cluster get one query at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import msgspec

from falsum.audits.answers import Respondents, StoppedError
from falsum.audits.audit import Audit, AuditPlan
from falsum.audits.comparison import FACTOR, REPEATS
from falsum.audits.journal import Journal
from falsum.audits.query.queries import Query
from falsum.audits.rows import QueryError
from falsum.audits.run import Examiner, examined_or_error
from falsum.audits.stability import VARIANTS, Stability, StabilityPlan
from falsum.audits.upgrade import SEEDS, Upgrade, UpgradePlan
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo


class AuditOrder(msgspec.Struct, frozen=True, tag="audit"):
    """For `Audit`, with the names of its solvers."""

    solvers: tuple[str, ...]
    evidence: bool = True

    def examiner(self, respondents: Respondents) -> Audit:
        return Audit(AuditPlan(_resolved(self.solvers), self.evidence), respondents)


class UpgradeOrder(msgspec.Struct, frozen=True, tag="upgrade"):
    """For `Upgrade`, with the names of its solvers."""

    old: str
    new: tuple[str, ...]
    seeds: int = SEEDS
    factor: float = FACTOR
    repeats: int = REPEATS

    def examiner(self, respondents: Respondents) -> Upgrade:
        (old,) = _resolved((self.old,))
        plan = UpgradePlan(old, _resolved(self.new), self.seeds, self.factor, self.repeats)
        return Upgrade(plan, respondents)


class StabilityOrder(msgspec.Struct, frozen=True, tag="stability"):
    """For `Stability`, with the names of its solvers."""

    solvers: tuple[str, ...]
    variants: int = VARIANTS
    is_adaptive: bool = True

    def examiner(self, respondents: Respondents) -> Stability:
        plan = StabilityPlan(_resolved(self.solvers), self.variants, self.is_adaptive)
        return Stability(plan, respondents)


Order = AuditOrder | UpgradeOrder | StabilityOrder


class QueryTask(msgspec.Struct, frozen=True):
    """An order for one query, whose text is bytes as in its file."""

    order: Order
    name: str
    text: bytes
    timeout: float
    memory: int


class QueryResult(msgspec.Struct, frozen=True):
    """The encoded rows of a query, or why there are none; and the resources of its solvers."""

    examined: bytes = b""
    error: str = ""
    is_internal: bool = False
    cpu: float = 0.0
    runs: int = 0


class _Task(Protocol):
    @property
    def body(self) -> bytes: ...


class QueryRunner:
    """Runs query tasks; answers are remembered within one task."""

    def run(self, task: _Task, stopping: Callable[[], bool]) -> bytes:
        query_task = msgspec.msgpack.decode(task.body, type=QueryTask)
        text = query_task.text.decode(errors="surrogateescape")
        with (
            Journal(None) as journal,
            Respondents(journal, query_task.timeout, query_task.memory, stopping) as asked,
        ):
            try:
                examiner: Examiner[Any] = query_task.order.examiner(asked)
                result = examined_or_error(examiner, Query(query_task.name, Path(query_task.name)), text)
            except StoppedError:
                return msgspec.msgpack.encode(QueryResult(error="stopped"))
            usage = asked.usage
        if isinstance(result, QueryError):
            return msgspec.msgpack.encode(
                QueryResult(
                    error=result.reason, is_internal=result.is_internal, cpu=usage.cpu, runs=usage.runs
                )
            )
        encoded = msgspec.msgpack.encode(result)
        return msgspec.msgpack.encode(QueryResult(encoded, cpu=usage.cpu, runs=usage.runs))

    def close(self) -> None:
        """Do nothing: nothing is kept between tasks."""


def _resolved(names: tuple[str, ...]) -> tuple[Solver, ...]:
    zoo = Zoo()
    return tuple(resolve(name, zoo) for name in dict.fromkeys(names))
