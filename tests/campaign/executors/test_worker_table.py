"""Workers of a cluster: slots, contents that were sent, workers that are gone or refused."""

from __future__ import annotations

import random

import pytest

from falsum.campaign.executors.worker_table import WorkerTable
from falsum.errors import SurroundingsError


def table(**slots: int) -> WorkerTable:
    worker_table = WorkerTable()
    assert worker_table.update(slots) == []
    return worker_table


def test_slots_are_taken_and_given_back() -> None:
    workers = table(a=1, b=2)
    assert (workers.slots, workers.free) == (3, 3)
    assert [workers.take() for _ in range(4)] == ["a", "b", "b", ""]
    workers.give_back("b")
    assert workers.free == 1
    assert workers.take() == "b"
    assert workers.free == 0


def test_tasks_that_wait_their_turn_go_round_and_count() -> None:
    workers = table(a=1, b=1, c=1)
    assert [workers.queue() for _ in range(4)] == ["a", "b", "c", "a"]
    assert workers.free == 0
    workers.give_back("a")
    assert workers.free == 0
    workers.give_back("a")
    assert workers.take() == "a"


def test_workers_that_are_gone_are_counted_and_forgotten() -> None:
    workers = table(a=1, b=1)
    workers.take()
    assert workers.lacks("a", ["x"]) == ["x"]
    assert workers.update({"b": 1}) == ["a"]
    workers.give_back("a")
    assert (workers.lost, workers.slots, workers.free) == (1, 1, 1)
    workers.update({"a": 1, "b": 1})
    assert workers.lacks("a", ["x"]) == ["x"]


def test_contents_are_sent_once_to_each() -> None:
    workers = table(a=1, b=1)
    assert workers.lacks("a", ["x", "y"]) == ["x", "y"]
    assert workers.lacks("a", ["y", "z"]) == ["z"]
    assert workers.lacks("b", ["x"]) == ["x"]
    workers.forget("a", ["x"])
    assert workers.lacks("a", ["x", "y", "z"]) == ["x"]


def test_a_worker_that_is_refused_gets_nothing_and_the_last_one_ends_it() -> None:
    workers = table(a=1, b=1)
    workers.refuse("a", "no z3")
    workers.give_back("a")
    assert (workers.slots, workers.free, workers.take()) == (1, 1, "b")
    with pytest.raises(SurroundingsError, match="no worker of the cluster can take part: no cvc5"):
        workers.refuse("b", "no cvc5")


def test_free_slots_are_counted_along() -> None:
    chance = random.Random(1)
    workers = table(a=1, b=2, c=3)
    for _ in range(500):
        match chance.randrange(5):
            case 0:
                workers.take()
            case 1:
                workers.queue()
            case 2:
                workers.give_back(chance.choice("abcd"))
            case 3:
                workers.occupy(chance.choice("abcd"))
            case _:
                before = workers.free
                workers.update({"a": 1, "b": 2, "c": 3})  # counts afresh
                assert workers.free == before
