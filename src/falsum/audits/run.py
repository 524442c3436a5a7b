"""Run: examines queries in parallel; queries that were examined before are not examined again."""

from __future__ import annotations

import time
import traceback
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec
from msgspec import structs

from falsum.audits.answers import QueryAnswer, Respondents, StoppedError, identity, machine
from falsum.audits.journal import digest, text_digest
from falsum.audits.query.queries import Query
from falsum.audits.rows import AuditRow, QueryError, StabilityRow, UpgradeRow
from falsum.audits.workers import Crew
from falsum.errors import FalsumError
from falsum.solvers.solver import Solver

Row = TypeVar("Row", AuditRow, UpgradeRow, StabilityRow)

# Changes when rows of an earlier release of falsum no longer mean the same.
_FORMAT: Final = "rows 2"


class Note(msgspec.Struct, frozen=True):
    """A note printed once for all queries: a part that a solver did not get, or refused."""

    solver: str
    text: str


class Examined(msgspec.Struct, Generic[Row], frozen=True):
    """The rows of a query, and notes about it."""

    rows: tuple[Row, ...]
    notes: tuple[Note, ...] = ()


def notes_of(solver: Solver, answer: QueryAnswer) -> list[Note]:
    """Notes on the parts of a query that a solver did not get, and on options it does not know."""
    texts = [each for each in answer.changes if each.endswith(("left out", "CPU time"))]
    texts += [f"says: {each}" for each in answer.errors]
    texts += [f"rejects: {answer.rejection}"] if answer.rejection else []
    texts += ["rejects queries as they are, and was asked without options and requests"] * answer.is_plain
    return [Note(solver.name, text) for text in texts]


class Examiner(Protocol[Row]):
    """The interface of the three commands: examines one query."""

    @property
    def kind(self) -> type[Row]:
        """The type of its rows."""
        ...

    @property
    def solvers(self) -> Sequence[Solver]: ...

    @property
    def words(self) -> tuple[str, ...]:
        """What rows depend on besides the query, the solvers and their limits."""
        ...

    def examine(self, query: Query, text: str) -> Examined[Row]: ...


@dataclass
class RunProgress:
    """The progress of a run; `seconds` are those since it began, without remembered queries."""

    total: int
    done: int = 0
    remembered: int = 0
    started: float = field(default_factory=time.monotonic)

    def __str__(self) -> str:
        estimate = f", about {_spoken(self.left)} left" if self.left is not None else ""
        return f"{self.done} of {self.total} queries{estimate}"

    @property
    def left(self) -> float | None:
        """An estimate of the seconds left."""
        fresh = self.done - self.remembered
        if not fresh:
            return None
        return (time.monotonic() - self.started) / fresh * (self.total - self.done)


def _spoken(seconds: float) -> str:
    """A duration in words, rounded as an estimate."""
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


class AuditRun(Generic[Row]):
    """Examines queries with an examiner; iterate over `results`."""

    def __init__(self, examiner: Examiner[Row], respondents: Respondents, jobs: int) -> None:
        self._examiner: Examiner[Row] = examiner
        self._respondents = respondents
        self._jobs = jobs
        self._record: Any = Examined[examiner.kind]  # type: ignore[name-defined] # a type of run time
        limits = respondents.limits
        self._words = (
            _FORMAT, examiner.kind.__name__, machine(), str(limits.cpu_seconds), str(limits.memory),
            *examiner.words, *(f"{solver.name} {identity(solver)}" for solver in examiner.solvers),
        )  # fmt: skip

    def results(
        self, queries: Sequence[Query], progress: RunProgress
    ) -> Generator[tuple[Query, Examined[Row] | QueryError]]:
        """Each query with its rows or an error, in the order of completion."""
        workers: Crew[Query, tuple[Examined[Row] | QueryError, bool]] = Crew(self._examine, self._jobs)
        results = workers.results(queries)
        try:
            for query, (result, is_remembered) in results:
                progress.done += 1
                progress.remembered += is_remembered
                yield query, result
        finally:
            self._respondents.stop()
            results.close()

    def _examine(self, query: Query) -> tuple[Examined[Row] | QueryError, bool]:
        try:
            text = query.text()
            key = digest(*self._words, text_digest(text))
            remembered: Examined[Row] | None = self._respondents.journal.get(key, self._record)
            if remembered is not None:
                rows = tuple(structs.replace(row, query=query.name) for row in remembered.rows)
                return Examined(rows, remembered.notes), True
        except FalsumError as error:
            return QueryError(query.name, str(error)), False
        examined = examined_or_error(self._examiner, query, text)
        if not isinstance(examined, QueryError):
            self._respondents.journal.put(key, examined)
        return examined, False


def examined_or_error(examiner: Examiner[Row], query: Query, text: str) -> Examined[Row] | QueryError:
    """The rows of a query, or an error: one query must not end an audit of thousands."""
    try:
        return examiner.examine(query, text)
    except StoppedError:
        raise
    except FalsumError as error:
        return QueryError(query.name, str(error))
    except Exception as error:  # noqa: BLE001 - an error of ours with one query
        *_, last = traceback.extract_tb(error.__traceback__)
        place = f"{Path(last.filename).name}:{last.lineno}"
        reason = f"{query.name}: internal error: {type(error).__name__}: {error} ({place})"
        return QueryError(query.name, reason, is_internal=True)
