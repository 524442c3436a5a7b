"""Sets and finite fields."""

from __future__ import annotations

from falsum.smtlib.values import finite_fields, sets
from falsum.smtlib.values.cannot_say import CannotSay

S, T = frozenset((1, 2)), frozenset((2, 3))
NOTHING: frozenset[int] = frozenset()


def test_operations() -> None:
    assert sets.empty() == NOTHING
    assert sets.singleton(1) == frozenset((1,))
    assert sets.union(S, T) == frozenset((1, 2, 3))
    assert sets.inter(S, T) == frozenset((2,))
    assert sets.minus(S, T) == frozenset((1,))
    assert sets.insert((7, 1), S) == frozenset((1, 2, 7))
    assert sets.insert((), S) == S
    assert sets.card(S) == 2
    assert sets.card(NOTHING) == 0


def test_predicates() -> None:
    assert sets.member(1, S)
    assert not sets.member(3, S)
    assert sets.subset(NOTHING, S)
    assert sets.subset(S, S)
    assert not sets.subset(S, T)
    assert sets.is_empty(NOTHING)
    assert not sets.is_empty(S)
    assert sets.is_singleton(frozenset((4,)))
    assert not sets.is_singleton(S)


def test_choose_is_open_unless_forced() -> None:
    assert sets.choose(frozenset((4,))) == 4
    assert sets.choose(S) is None
    assert sets.choose(NOTHING) is None


def test_complement_needs_a_universe() -> None:
    assert sets.complement(S, frozenset((1, 2, 3))) == frozenset((3,))
    assert sets.universe(S) == S
    assert isinstance(sets.complement(S, None), CannotSay)
    assert isinstance(sets.universe(None), CannotSay)


def test_finite_fields() -> None:
    assert finite_fields.from_int(5, -1) == 4
    assert finite_fields.from_int(5, 12) == 2
    assert finite_fields.add(5, 3, 4) == 2
    assert finite_fields.add(5, 3, 4, 3) == 0
    assert finite_fields.mul(5, 3, 4) == 2
    assert finite_fields.mul(5, 2, 2, 2) == 3
    assert finite_fields.neg(5, 0) == 0
    assert finite_fields.neg(5, 2) == 3
    assert finite_fields.bitsum(7, 1, 0, 1) == 5
    assert finite_fields.bitsum(7, 1, 1, 1) == 0
    assert finite_fields.bitsum(3, 2) == 2
