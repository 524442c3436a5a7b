"""Bags."""

from __future__ import annotations

from falsum.smtlib.values import bags

ONE = bags.collected((("a", 2), ("b", 1)))
TWO = bags.collected((("a", 1), ("c", 4), ("a", 2)))


def test_making() -> None:
    assert bags.counts(TWO) == {"a": 3, "c": 4}
    assert bags.make("a", 2) == bags.collected((("a", 1), ("a", 1)))
    assert bags.make("a", 0) == bags.make("a", -3) == bags.EMPTY


def test_operations() -> None:
    assert bags.counts(bags.union_max(ONE, TWO)) == {"a": 3, "b": 1, "c": 4}
    assert bags.counts(bags.union_disjoint(ONE, TWO)) == {"a": 5, "b": 1, "c": 4}
    assert bags.counts(bags.inter_min(ONE, TWO)) == {"a": 2}
    assert bags.counts(bags.difference_subtract(TWO, ONE)) == {"a": 1, "c": 4}
    assert bags.counts(bags.difference_remove(TWO, ONE)) == {"c": 4}
    assert bags.counts(bags.setof(TWO)) == {"a": 1, "c": 1}
    assert bags.to_set(TWO) == {"a", "c"}
    assert bags.from_set(frozenset("ac")) == bags.setof(TWO)


def test_questions() -> None:
    assert bags.count("a", TWO) == 3
    assert bags.count("b", TWO) == 0
    assert bags.member("c", TWO)
    assert not bags.member("b", TWO)
    assert bags.card(TWO) == 7
    assert bags.subbag(bags.make("a", 3), TWO)
    assert not bags.subbag(bags.make("a", 4), TWO)
    assert not bags.subbag(ONE, TWO)
    assert bags.is_singleton(bags.make("a", 1))
    assert not bags.is_singleton(bags.make("a", 2))
    assert bags.choose(bags.make("a", 2)) == "a"
    assert bags.choose(TWO) is None
    assert bags.choose(bags.EMPTY) is None
