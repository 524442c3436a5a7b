"""Queries examined elsewhere: rows as on the spot, losses said, nobody left waiting."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from falsum.app.audits.remote_examiner import RemoteExaminer
from falsum.audits.answers import Respondents
from falsum.audits.journal import Journal
from falsum.audits.orders import AuditOrder, QueryRunner
from falsum.audits.query.queries import Query
from falsum.audits.rows import AuditRow, QueryError
from falsum.audits.run import AuditRun, RunProgress
from falsum.campaign.executors.executor import Executor, Task, TaskResult, WorkerStatus
from falsum.campaign.executors.processes import ProcessPool
from falsum.errors import SurroundingsError

ORDER = AuditOrder(("z3",), evidence=False)
UNSAT = "(declare-const x Int)(assert (< x {}))(assert (> x {}))(check-sat)"


class Script:
    """An executor that runs tasks here, or does with them what `act` says."""

    def __init__(self, slots: int = 2, act: str = "") -> None:
        self.slots = slots
        self.act = act
        self.most = 0
        self.tasks: deque[Task] = deque()
        self.closed = False

    @property
    def status(self) -> WorkerStatus | None:
        return WorkerStatus("here", 1, self.slots)

    @property
    def idle(self) -> int:
        return self.slots - len(self.tasks)

    @property
    def busy(self) -> int:
        return len(self.tasks)

    def submit(self, task: Task) -> None:
        assert self.idle
        self.tasks.append(task)
        self.most = max(self.most, len(self.tasks))

    def lane(self, name: str, share: float) -> Executor:
        raise NotImplementedError

    def results(self, seconds: float) -> Iterator[TaskResult]:
        if self.tasks and self.act == "gone":
            raise SurroundingsError("the scheduler is gone")
        while self.tasks:
            task = self.tasks.popleft()
            if self.act == "lost":
                yield TaskResult(task.number, lost="a traceback\nKilled: no memory\n")
                continue
            result = TaskResult(task.number, QueryRunner().run(task, lambda: False))
            yield from (result,) * (2 if self.act == "twice" else 1)

    def distrust(self, worker: str, why: str) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        raise NotImplementedError

    def close(self, grace: float = 2.0) -> None:
        self.closed = True


@pytest.fixture
def respondents(tmp_path: Path) -> Iterator[Respondents]:
    with Journal(tmp_path / "journal") as journal, Respondents(journal, 10.0, 1024) as made:
        yield made


@contextmanager
def examiner(respondents: Respondents, executor: Executor) -> Iterator[RemoteExaminer[AuditRow]]:
    local = ORDER.examiner(respondents)
    with RemoteExaminer(ORDER, local, respondents, executor, "here") as made:
        yield made


def query(folder: Path, number: int) -> Query:
    file = folder / f"{number}.smt2"
    file.write_text(UNSAT.format(number, number))
    return Query(file.name, file)


@pytest.mark.parametrize("act", ["", "twice"])
def test_rows_as_on_the_spot_many_at_a_time(tmp_path: Path, respondents: Respondents, act: str) -> None:
    queries = [query(tmp_path, number) for number in range(6)]
    local = ORDER.examiner(respondents)
    expected = [msgspec.structs.replace(local.examine(q, q.text()).rows[0], cpu={}) for q in queries]
    used = respondents.usage.runs
    executor = Script(act=act)
    with examiner(respondents, executor) as remote, ThreadPoolExecutor(6) as threads:
        found = list(threads.map(lambda one: remote.examine(one, one.text()), queries, timeout=60))
    assert [msgspec.structs.replace(each.rows[0], cpu={}) for each in found] == expected
    assert executor.most == 2, "no more than the cluster has slots"
    assert executor.closed
    assert respondents.usage.runs == 2 * used, "what is used elsewhere counts"


def test_rows_of_another_place_are_not_taken_for_those_of_this_machine(respondents: Respondents) -> None:
    with examiner(respondents, Script()) as remote:
        assert remote.words != ORDER.examiner(respondents).words
        assert remote.jobs == 16
    with examiner(respondents, Script(slots=40)) as remote:
        assert remote.jobs == 80


def test_a_lost_query_is_named_with_the_reason(tmp_path: Path, respondents: Respondents) -> None:
    lost = query(tmp_path, 1)
    with (
        examiner(respondents, Script(act="lost")) as remote,
        pytest.raises(SurroundingsError, match=r"1\.smt2: not examined: Killed: no memory"),
    ):
        remote.examine(lost, lost.text())


def test_nobody_waits_for_a_cluster_that_is_gone(tmp_path: Path, respondents: Respondents) -> None:
    queries = [query(tmp_path, number) for number in range(5)]
    with examiner(respondents, Script(act="gone")) as remote:
        results = list(AuditRun(remote, respondents, 3).results(queries, RunProgress(5)))
    assert len(results) == 5
    for _query, result in results:
        assert isinstance(result, QueryError)
        assert "the scheduler is gone" in result.reason


@pytest.mark.timeout(120)
def test_real_workers(tmp_path: Path, respondents: Respondents) -> None:
    one = query(tmp_path, 1)
    with examiner(respondents, ProcessPool(1)) as remote:
        (row,) = remote.examine(one, one.text()).rows
    assert (row.query, row.verdict) == ("1.smt2", "unsat")
