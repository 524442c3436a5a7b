"""A row per strategy: what it made, and what came of it."""

from __future__ import annotations

from falsum.campaign.fuzz.strategy_rows import COLUMNS, StrategyRows
from falsum.campaign.tally import FuzzTally
from falsum.store.records import BatchRecord

TALLY = FuzzTally(
    mutants=20,
    decided=12,
    repeated=3,
    said={"z3": {"sat": 10, "rejected": 10}, "cvc5": {"unsat": 2, "timed out": 18}},
    solver_cpu=1.5,
    own_cpu=0.5,
)


def test_a_row_says_what_became_of_the_mutants() -> None:
    rows = StrategyRows(("storm", "sparrow:pst"))
    rows.add("sparrow:pst", TALLY, ["a", "b", "a"])
    rows.saturate("sparrow:pst", "digest")
    rows.saturate("another", "digest")
    assert rows.rows["sparrow:pst"].plain() == {
        "made": 20, "repeated": 3, "rejected": {"z3": 10, "cvc5": 0}, "decided": 12,
        "timed_out": {"z3": 0, "cvc5": 18}, "solver_cpu": 1.5, "own_cpu": 0.5, "findings": 2, "saturated": 1,
    }  # fmt: skip
    cells = ["20", "3", "10 z3", "12", "18", "1.5", "0.5", "2"]
    assert rows.rows["sparrow:pst"].cells() == cells
    assert len(cells) == len(COLUMNS)
    assert rows.rows["storm"].plain()["made"] == 0
    assert list(rows.rows) == ["storm", "sparrow:pst"]
    assert rows.total.mutants == 20


def test_earlier_runs_are_counted() -> None:
    rows = StrategyRows(("storm",))
    batches = [BatchRecord(n, "storm", "seed", 20, 1.0, "done", TALLY.plain()) for n in (1, 2)]
    rows.resume(batches, [(1, 0, "a"), (2, 5, "a"), (2, 6, "b"), (9, 1, "c")])
    assert rows.rows["storm"].plain()["findings"] == 2
    assert rows.total.mutants == 40
