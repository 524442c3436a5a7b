"""The guide of library campaigns: what leads to new edges is drawn more often, by the batches alone."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from tests.toy.builds import AFL, binding

from falsum.api.model.settings import Settings
from falsum.campaign.guides import COVERAGE
from falsum.campaign.library.batch import LibraryBatch, LibraryTally
from falsum.campaign.library.guide import LibraryGuide
from falsum.campaign.library.plan import LibraryPlan
from falsum.campaign.library.runner import LibraryRunner
from falsum.campaign.library.workload import LibraryWorkload
from falsum.campaign.outcome import BatchOutcome
from falsum.store.store import Store

SETTINGS = Settings(compare=0, replay=0, options=0, seconds=1.0)


def test_what_brings_new_edges_weighs_more() -> None:
    guide = LibraryGuide()
    assert guide.weights() == {}
    guide.add(100, {"a": 100, "b": 50, "c": 50, "d": 10**6}, 20, {"a": 20, "b": 20, "d": 1})
    weights = guide.weights()
    assert "a" not in weights  # as usual
    assert weights["b"] == pytest.approx((20 + 4) / 70 / 0.2, abs=0.001)
    assert weights["c"] == pytest.approx(4 / 70 / 0.2, abs=0.001)
    assert weights["d"] == 0.25  # never given up


def test_old_runs_count_less() -> None:
    guide = LibraryGuide()
    guide.add(1000, {"a": 500, "b": 500}, 500, {"a": 500})
    before = guide.weights()
    guide.add(20_000, {"a": 10_000, "b": 10_000}, 500, {"b": 500})
    after = guide.weights()
    assert before["a"] > 1 > before["b"]
    assert after["b"] > 1 > after["a"]


def test_batches_follow_from_their_description_and_teach_a_resumed_campaign(tmp_path: Path) -> None:
    name = binding(compiler=AFL)
    plan = LibraryPlan(solvers=((name, ()),), settings=SETTINGS, first=1, count=10**6, guide=COVERAGE)
    batches, outcomes = [], []
    with Store(tmp_path / "out") as store:
        number = store.begin(plan.plain())
        workload = LibraryWorkload(plan, store, number)
        with closing(LibraryRunner()) as runner:
            for _ in range(2):
                task = workload.next(0.0, 1)
                assert task is not None
                batch = msgspec.structs.replace(
                    msgspec.msgpack.decode(task.body, type=LibraryBatch), count=12, seconds=600.0
                )
                outcome = runner.run_batch(batch)
                store.record(number, outcome.record)
                workload.take(outcome)
                batches.append(batch)
                outcomes.append(outcome)
        assert sum(workload.reached.counts.values()) > 50
        assert [bool(batch.weights) for batch in batches] == [False, True]
        last = workload.next(0.0, 1)
        again = LibraryWorkload(plan, store, number)
        next_again = again.next(0.0, 1)
        assert last is not None
        assert next_again is not None
        assert again.reached.counts == workload.reached.counts
        known, learned = (msgspec.msgpack.decode(t.body, type=LibraryBatch) for t in (last, next_again))
        assert known.weights == learned.weights
    with closing(LibraryRunner()) as fresh:
        repeated = fresh.run_batch(batches[1])
    assert uses(repeated) == uses(outcomes[1])


def uses(outcome: BatchOutcome) -> dict[str, int]:
    return msgspec.convert(outcome.record.tally, LibraryTally).uses
