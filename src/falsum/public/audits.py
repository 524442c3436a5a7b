"""audit, upgrade and stability for Python programs."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from falsum.audits.answers import Respondents
from falsum.audits.comparison import FACTOR
from falsum.audits.journal import Journal
from falsum.audits.orders import AuditOrder, StabilityOrder, UpgradeOrder
from falsum.audits.query.queries import find_queries
from falsum.audits.rows import AuditRow, QueryError, StabilityRow, UpgradeRow
from falsum.audits.run import AuditRun, Examiner, Row, RunProgress
from falsum.audits.stability import VARIANTS
from falsum.audits.upgrade import SEEDS
from falsum.errors import SurroundingsError, UsageError

_TIMEOUT = 10.0
_MEMORY = 2048
Names = str | Path | Iterable[str | Path]


def audit(
    queries: Names,
    solvers: Sequence[str],
    *,
    evidence: bool = True,
    timeout: float = _TIMEOUT,
    memory: int = _MEMORY,
    jobs: int | None = None,
    out: str | Path | None = None,
) -> list[AuditRow]:
    """Audit the answers to queries: a row for each check says whether its answer is right, and how that is
    known.

    `queries` are named as for `falsum audit`. `timeout` is in CPU seconds for a check, `memory` in megabytes.
    `out` is a directory that keeps answers, so that an audit can be resumed.
    """
    order = AuditOrder(_some(solvers), evidence)
    return _rows(queries, order.examiner, timeout, memory, jobs, out)


def upgrade(
    queries: Names,
    old: str,
    new: str | Sequence[str],
    *,
    seeds: int = SEEDS,
    factor: float = FACTOR,
    timeout: float = _TIMEOUT,
    memory: int = _MEMORY,
    jobs: int | None = None,
    out: str | Path | None = None,
) -> list[UpgradeRow]:
    """What changes for queries with other solvers: a row for each check and each new solver."""
    order = UpgradeOrder(old, _some([new] if isinstance(new, str) else new), seeds, factor)
    return _rows(queries, order.examiner, timeout, memory, jobs, out)


def stability(
    queries: Names,
    solvers: Sequence[str],
    *,
    variants: int = VARIANTS,
    timeout: float = _TIMEOUT,
    memory: int = _MEMORY,
    jobs: int | None = None,
    out: str | Path | None = None,
) -> list[StabilityRow]:
    """How many variants of queries are decided, and the category: a row for each check and solver."""
    order = StabilityOrder(_some(solvers), variants)
    return _rows(queries, order.examiner, timeout, memory, jobs, out)


def _some(names: Sequence[str]) -> tuple[str, ...]:
    if not names:
        raise UsageError("name at least one solver")
    return tuple(names)


def _rows(
    queries: Names,
    examiner: Callable[[Respondents], Examiner[Row]],
    timeout: float,
    memory: int,
    jobs: int | None,
    out: str | Path | None,
) -> list[Row]:
    """The rows of all queries, in order; raises SurroundingsError if a query cannot be examined."""
    names = [queries] if isinstance(queries, str | Path) else list(queries)
    with ExitStack() as stack:
        folder = Path(out) if out is not None else Path(stack.enter_context(tempfile.TemporaryDirectory()))
        journal = stack.enter_context(Journal(folder / "journal"))
        respondents = stack.enter_context(Respondents(journal, timeout, memory))
        files = find_queries(map(str, names), folder / "unpacked")
        run = AuditRun(examiner(respondents), respondents, jobs or len(os.sched_getaffinity(0)))
        rows: dict[str, tuple[Row, ...]] = {}
        results = stack.enter_context(closing(run.results(files, RunProgress(len(files)))))
        for query, result in results:
            if isinstance(result, QueryError):
                raise SurroundingsError(result.reason)
            rows[query.name] = result.rows
        return [row for query in files for row in rows[query.name]]
