"""Edges that a campaign has reached: each is new once, and seeds at rare ones have more turns."""

from __future__ import annotations

from array import array

import pytest

from falsum.campaign.search.focus import Focus
from falsum.campaign.search.reached import ReachedEdges, joined
from falsum.solvers.instruments.edges import unpacked


def packed(*numbers: int) -> bytes:
    return array("I", numbers).tobytes()


def test_what_a_worker_tells_is_new_once() -> None:
    reached = ReachedEdges()
    lots = [{"s": packed(8, 16)}, {"s": packed(16, 24)}, {"t": packed(8)}, {"s": packed(8)}]
    new = reached.new(lots)
    assert new == [{"s": packed(8, 16)}, {"s": packed(24)}, {"t": packed(8)}, {}]
    assert reached.new(lots) == new  # nothing is reached before it is added
    reached.add(joined(new))
    assert reached.new(lots) == [{}, {}, {}, {}]
    assert reached.counts == {"s": 3, "t": 1}


def test_another_count_of_an_edge_is_new_but_no_other_edge() -> None:
    reached = ReachedEdges()
    reached.add({"s": packed(8)})
    assert reached.new([{"s": packed(9)}]) == [{"s": packed(9)}]
    reached.add({"s": packed(9)})
    assert reached.counts == {"s": 1}


def test_new_edges_are_counted_whatever_their_counts() -> None:
    reached = ReachedEdges()
    reached.add({"s": packed(8)})
    assert reached.new_edges([{"s": packed(9, 16, 17)}, {"s": packed(18, 24), "t": packed(8)}, {}]) == [
        1,
        2,
        0,
    ]


def test_a_seed_at_a_rare_edge_has_more_turns() -> None:
    reached = ReachedEdges()
    reached.add_seed(1, {"s": packed(8)})
    reached.add_seed(2, {"s": packed(16, 24)})
    assert set(unpacked(reached.watched["s"])) == {8, 16, 24}
    assert reached.of_seeds({"s": packed(7, 16), "t": packed(8)}) == {"s": packed(16)}
    assert reached.energies() == {1: 1.0, 2: 1.0}
    for _ in range(9):
        reached.count_batch({"s": packed(8, 16)})
    assert reached.energies() == {1: pytest.approx(0.55), 2: pytest.approx(5.5)}
    for _ in range(1000):
        reached.count_batch({"s": packed(8)})
    assert reached.energies() == {1: pytest.approx(0.5, rel=0.01), 2: 8.0}
    reached.let_go(2)
    assert set(unpacked(reached.watched["s"])) == {8}


def test_seeds_with_other_counts_alone_have_fewer_turns() -> None:
    reached = ReachedEdges()
    reached.add({"s": packed(8, 16)})
    assert reached.first_of({"s": packed(9, 17, 24, 25)}) == {"s": packed(3)}
    reached.add_seed(1, reached.first_of({"s": packed(9, 17)}))
    assert reached.energies() == {1: 0.125}


def test_few_edges_of_a_seed_are_watched() -> None:
    assert len(unpacked(ReachedEdges().first_of({"s": packed(*range(0, 800, 8))})["s"])) == 8


def test_seeds_that_reach_the_focus_come_first() -> None:
    reached = ReachedEdges(Focus({"s": {3: "f", 4: "f", 5: "g"}}))
    assert set(unpacked(reached.watched["s"])) == {3, 4, 5}
    assert reached.in_focus({"s": packed(8 * 3, 8 * 3 + 1, 8 * 9), "t": packed(8 * 4)}) == 1
    reached.add_focus(1, 3)
    reached.add_focus(2, 1)
    reached.add_focus(2, 0)
    assert reached.energies() == {1: 8.0, 2: pytest.approx(1 + 7 / 3)}
    reached.add_seed(1, {"s": packed(9)})
    for _ in range(2):
        reached.count_batch({"s": packed(9)})
    assert reached.energies()[1] == 8.0  # its edge is as rare as those of others
    reached.add({"s": packed(8 * 3)})
    assert reached.focus_reached["s"].missing == ("g",)
    reached.let_go(1)
    assert reached.energies() == {2: 8.0}
