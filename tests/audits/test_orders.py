"""An order that has travelled as bytes is done as on the spot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from tests.audits.plants import Z3

from falsum.audits.answers import Respondents
from falsum.audits.audit import Audit
from falsum.audits.journal import Journal
from falsum.audits.orders import (
    AuditOrder,
    Order,
    QueryResult,
    QueryRunner,
    QueryTask,
    StabilityOrder,
    UpgradeOrder,
)
from falsum.audits.query.queries import Query
from falsum.audits.rows import AuditRow, Category, Change, StabilityRow, UpgradeRow, Word
from falsum.audits.run import Examined
from falsum.audits.stability import Stability
from falsum.audits.upgrade import Upgrade
from falsum.errors import SurroundingsError

UNSAT = b"(declare-const x Int)(assert (< x x))(check-sat)"


@dataclass(frozen=True)
class Body:
    """What a runner sees of a task."""

    body: bytes


def result_of(order: Order, text: bytes = UNSAT, stopping: Callable[[], bool] = lambda: False) -> QueryResult:
    task = QueryTask(order, "a.smt2", text, 10.0, 1024)
    answer = QueryRunner().run(Body(msgspec.msgpack.encode(task)), stopping)
    return msgspec.msgpack.decode(answer, type=QueryResult)


def test_rows_of_every_order() -> None:
    result = result_of(AuditOrder(("z3",), evidence=False))
    (audited,) = msgspec.msgpack.decode(result.examined, type=Examined[AuditRow]).rows
    assert (audited.query, audited.check, audited.word) == ("a.smt2", 1, Word.CLAIMED)
    assert (result.error, result.runs) == ("", 1)
    assert result.cpu > 0

    result = result_of(UpgradeOrder("z3", ("z3:smt.random_seed=3",), seeds=1))
    (compared,) = msgspec.msgpack.decode(result.examined, type=Examined[UpgradeRow]).rows
    assert (compared.change, compared.before, compared.after) == (Change.SAME, "unsat", "unsat")
    assert (compared.old, compared.new) == ("z3", "z3:smt.random_seed=3")

    result = result_of(StabilityOrder(("z3",), variants=2, is_adaptive=False))
    (stability,) = msgspec.msgpack.decode(result.examined, type=Examined[StabilityRow]).rows
    assert (stability.category, stability.successes, stability.variants) == (Category.INCONCLUSIVE, 2, 2)


def test_bytes_of_a_query_are_kept() -> None:
    """Verifiers write names in their users' encodings."""
    text = "(declare-const |é| Int)(assert (< |é| |é|))(check-sat)".encode("latin-1")
    result = result_of(AuditOrder(("z3",), evidence=False), text)
    (row,) = msgspec.msgpack.decode(result.examined, type=Examined[AuditRow]).rows
    assert row.answers == {"z3": "unsat"}


@pytest.mark.parametrize(
    ("error", "reason", "is_internal"),
    [
        (SurroundingsError("a.smt2: no room"), "a.smt2: no room", False),
        (ValueError("odd"), "a.smt2: internal error: ValueError: odd", True),
    ],
)
def test_an_error_is_an_answer(
    error: Exception, reason: str, *, is_internal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise error

    monkeypatch.setattr(Audit, "examine", fail)
    result = result_of(AuditOrder(("z3",)))
    assert result.error.startswith(reason)
    assert (result.examined, result.is_internal) == (b"", is_internal)


def test_a_worker_that_ends_runs_no_more_solvers() -> None:
    result = result_of(AuditOrder(("z3",)), stopping=lambda: True)
    assert (result.error, result.runs) == ("stopped", 0)


@pytest.mark.parametrize(
    ("order", "kind", "words"),
    [
        (AuditOrder(("z3", "z3", f"z3={Z3}"), evidence=False), Audit, "False"),
        (UpgradeOrder("z3", (f"z3={Z3}",), seeds=2, factor=4.0, repeats=6), Upgrade, "2 4.0 6"),
        (StabilityOrder(("z3",), variants=12, is_adaptive=False), Stability, "12 False"),
    ],
)
def test_examiners_are_as_ordered(order: Order, kind: type, words: str, tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal, Respondents(journal, 1.0, 256) as respondents:
        examiner = order.examiner(respondents)
        assert isinstance(examiner, kind)
        assert " ".join(examiner.words).startswith(words)
        names = [solver.name for solver in examiner.solvers]
        assert names == list(dict.fromkeys(names)), "a solver named twice is asked once"
        assert Query("a", tmp_path / "a").name == "a"
