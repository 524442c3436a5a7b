"""CachedPredicate: each text is evaluated once, within a budget, for any number of jobs."""

from __future__ import annotations

import pytest

from falsum.ddmin import Budget, BudgetExhaustedError, CachedPredicate, StopReason


class Calls:
    """A predicate that records its calls."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, text: str) -> bool:
        self.texts.append(text)
        return len(text) > 1


def test_a_text_is_evaluated_once() -> None:
    calls = Calls()
    predicate = CachedPredicate(calls)
    assert [predicate.holds(text) for text in ("ab", "a", "ab", "a")] == [True, False, True, False]
    assert calls.texts == ["ab", "a"]
    assert (predicate.tests, predicate.cache_hits) == (2, 2)


def test_recheck_ignores_cache_and_budget() -> None:
    calls = Calls()
    predicate = CachedPredicate(calls, budget=Budget(tests=1))
    assert predicate.holds("ab")
    assert predicate.recheck("ab")
    assert calls.texts == ["ab", "ab"]


@pytest.mark.parametrize(
    ("budget", "reason"),
    [(Budget(tests=2), StopReason.TESTS), (Budget(seconds=0.0), StopReason.SECONDS)],
)
def test_a_budget_ends(budget: Budget, reason: StopReason) -> None:
    predicate = CachedPredicate(Calls(), budget=budget)
    for number in range(budget.tests or 0):
        predicate.holds(str(number))
    with pytest.raises(BudgetExhaustedError) as end:
        predicate.holds("one more")
    assert end.value.reason is reason


def test_with_jobs_texts_are_evaluated_ahead() -> None:
    calls = Calls()
    predicate = CachedPredicate(calls, jobs=2)
    try:
        assert not predicate.holds("a", iter(["bc"]))
        assert predicate.holds("bc")
    finally:
        predicate.close()
    assert sorted(calls.texts) == ["a", "bc"]
    assert predicate.tests == 2
