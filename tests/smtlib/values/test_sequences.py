"""Sequence corners, alike to those of strings."""

from __future__ import annotations

from random import Random

import pytest

from falsum.smtlib.values import sequences, strings
from falsum.smtlib.values.cannot_say import CannotSay

EMPTY: tuple[int, ...] = ()
LONG = (0,) * 60_000


def test_strings_and_sequences_of_characters_agree() -> None:
    rng = Random(9)
    for _ in range(3000):
        s, t, u = ("".join(rng.choices("ab", k=rng.randint(0, n))) for n in (7, 3, 2))
        i, j = rng.randint(-2, 9), rng.randint(-2, 9)
        a, b, c = tuple(s), tuple(t), tuple(u)
        assert sequences.length(a) == strings.length(s)
        assert sequences.concat(a, b, c) == tuple(s + t + u)
        assert sequences.at(a, i) == tuple(strings.at(s, i))
        assert sequences.extract(a, i, j) == tuple(strings.substr(s, i, j))
        assert sequences.update(a, i, b) == tuple(strings.update(s, i, t))
        assert sequences.prefixof(b, a) is strings.prefixof(t, s)
        assert sequences.suffixof(b, a) is strings.suffixof(t, s)
        assert sequences.contains(a, b) is strings.contains(s, t)
        assert sequences.indexof(a, b, i) == strings.indexof(s, t, i)
        assert sequences.last_indexof(a, b) == s.rfind(t)
        replaced, everywhere = strings.replace(s, t, u), strings.replace_all(s, t, u)
        assert isinstance(replaced, str)
        assert isinstance(everywhere, str)
        assert sequences.replace(a, b, c) == tuple(replaced)
        assert sequences.replace_all(a, b, c) == tuple(everywhere)
        assert sequences.rev(a) == tuple(strings.rev(s))


@pytest.mark.parametrize(("i", "result"), [(-1, None), (0, 5), (1, 6), (2, None), (10**30, None)])
def test_nth(i: int, result: int | None) -> None:
    assert sequences.nth((5, 6), i) == result


def test_empty_sequences() -> None:
    assert sequences.unit(()) == ((),)
    assert sequences.nth(EMPTY, 0) is None
    assert sequences.indexof(EMPTY, EMPTY, 0) == 0
    assert sequences.indexof(EMPTY, EMPTY, 1) == -1
    assert sequences.replace(EMPTY, EMPTY, (1,)) == (1,)
    assert sequences.replace_all((1, 2), EMPTY, (3,)) == (1, 2)
    assert sequences.suffixof(EMPTY, EMPTY)


def test_beyond_the_budget_is_cannot_say() -> None:
    assert isinstance(sequences.concat(LONG, LONG), CannotSay)
    assert isinstance(sequences.replace(LONG, (0,), LONG), CannotSay)
    assert isinstance(sequences.replace_all(LONG, (0,), (1, 1)), CannotSay)
    assert sequences.indexof(LONG, (*LONG[:30_000], 1), 0) == -1
