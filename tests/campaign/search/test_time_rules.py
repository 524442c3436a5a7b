"""Time limits that follow the seed."""

from __future__ import annotations

import pytest

from falsum.campaign.search.time_rules import (
    GRANTED_SECONDS,
    GRANTED_SHARE,
    LATE_SHARE,
    MIN_SECONDS,
    SEED_MULTIPLE,
    TimeLimits,
)
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.store.records import MeasureRecord

TIMEOUT = 10.0


def measure(solver: str, seconds: float, ending: str = "finished") -> MeasureRecord:
    return MeasureRecord(solver, seconds, ("sat",), ending)


def taking(seconds: float, cpu: float = 0.0) -> Answer:
    return Answer((Verdict.SAT,), FINISHED, seconds=seconds, cpu=cpu)


def test_the_limit_follows_the_seed_between_floor_and_ceiling() -> None:
    limits = TimeLimits(TIMEOUT)
    assert limits.seconds(None) == MIN_SECONDS
    assert limits.seconds(measure("a", 0.001)) == MIN_SECONDS
    assert limits.seconds(measure("a", 0.05)) == 0.05 * SEED_MULTIPLE
    assert limits.seconds(measure("a", 1.0)) == 1.0 + 0.1 * SEED_MULTIPLE  # slow ones get less in addition
    assert limits.seconds(measure("a", 9.9)) == TIMEOUT
    # A solver that did not manage the seed gets no time to speak of for its mutants.
    assert limits.seconds(measure("a", 5.0, "timed out")) == LATE_SHARE * MIN_SECONDS


def test_a_solver_that_was_late_gets_less_the_next_time() -> None:
    limits = TimeLimits(TIMEOUT)
    assert limits.seconds(None, late=True) == LATE_SHARE * MIN_SECONDS
    assert limits.seconds(measure("a", 0.1), late=True) == 0.2
    assert limits.seconds(measure("a", 3.0), late=True) == limits.seconds(measure("a", 3.0))
    # Whoever wants to wait for mutants waits for these, too.
    assert TimeLimits(TIMEOUT, 8.0).seconds(None, late=True) == LATE_SHARE * 8.0


def test_what_strategies_ask_follows_batch_and_seeds() -> None:
    limits = TimeLimits(TIMEOUT)
    assert limits.for_strategies((), 0.2) == (0.2, 0.4)
    assert limits.for_strategies([measure("a", 0.05), measure("b", 0.01)], 0.2) == (0.4, 0.4)
    assert limits.for_strategies([measure("a", 3.0, "timed out")], 0.2) == (0.2, 0.4)
    assert limits.for_strategies([measure("a", 0.5)], 0.2) == (1.0, 0.4)
    # With a number of mutants to make, batches have more time, and time is not to decide.
    assert limits.for_strategies([measure("a", 0.01)], 2.0) == (1.0, 4.0)
    assert TimeLimits(0.1).for_strategies((), 0.2) == (0.1, 0.4)
    # A strategy that is told to wait longer does.
    assert TimeLimits(60.0).for_strategies((), 0.2, 30.0) == (30.0, 60.0)
    assert TimeLimits(10.0).for_strategies((), 0.2, 30.0) == (10.0, 60.0)
    assert limits.for_strategies((), 0.2, 1.0) == (0.2, 0.4)


def test_repetitions_have_much_more_time() -> None:
    assert TimeLimits(TIMEOUT).granted_seconds == GRANTED_SECONDS
    assert TimeLimits(0.4).granted_seconds == 0.4
    # Whoever gives mutants a second gives repetitions more.
    assert TimeLimits(TIMEOUT, least=1.0).granted_seconds == SEED_MULTIPLE


def test_grants_take_only_their_share() -> None:
    limits = TimeLimits(TIMEOUT)
    assert not limits.grants()
    limits.spent(taking(TIMEOUT / GRANTED_SHARE))
    assert limits.grants()
    limits.spent(taking(TIMEOUT), granted=True)
    assert not limits.grants()


def test_a_slow_machine_stretches_the_floor() -> None:
    limits = TimeLimits(TIMEOUT)
    for _ in range(200):
        limits.spent(taking(0.04, cpu=0.01))
    assert 3.5 * MIN_SECONDS < limits.seconds(None) < 4.5 * MIN_SECONDS
    for _ in range(200):
        limits.spent(taking(0.01, cpu=0.01))
    assert limits.seconds(None) < 1.1 * MIN_SECONDS


def test_floor_and_factor_can_be_set() -> None:
    measure = MeasureRecord("z3", 0.2, ("sat",), "finished")
    assert TimeLimits(10.0, 8.0, 4.0).seconds(measure) == 8.0
    assert TimeLimits(10.0, 0.1, 20.0).seconds(measure) == pytest.approx(0.2 + 2.0)
    assert TimeLimits(1.0, 8.0, 4.0).seconds(measure) == 1.0


def test_limits_are_stretched_on_a_busy_machine() -> None:
    limits = TimeLimits(TIMEOUT)
    assert limits.stretched(0.3) == pytest.approx(0.3)
    for _ in range(200):
        limits.spent(taking(0.03, cpu=0.01))
    assert limits.stretched(0.3) == pytest.approx(0.9, rel=0.01)
