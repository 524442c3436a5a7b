"""The theories of runs: all of them are drawn, rare ones as well."""

from __future__ import annotations

from collections import Counter
from random import Random

import msgspec

from falsum.api.model.capabilities import Capabilities
from falsum.api.model.theories import COMMON, draw_theories, rare_theories, sorts_of
from falsum.smtlib.theories import OPERATORS, SORTS

EVERYTHING = Capabilities(
    "all",
    sorts=tuple(SORTS),
    operators=tuple(OPERATORS),
    features=("datatypes", "higher-order", "quantifiers"),
)


def test_every_theory_is_drawn_often() -> None:
    rng, runs = Random(1), 2000
    drawn = [draw_theories((*COMMON, *rare_theories()), EVERYTHING, rng) for _ in range(runs)]
    shares = {theory: count / runs for theory, count in Counter(t for each in drawn for t in each).items()}
    assert set(shares) == set(sorts_of())
    assert all(share > 0.07 for share in shares.values()), shares
    assert min(shares[theory] for theory in ("sequences", "sets", "bags", "tuples", "fields")) > 0.15
    sizes = Counter(map(len, drawn))
    assert min(sizes[count] for count in (2, 3, 4, 5, 6, 7)) > runs // 50


def test_only_what_is_allowed_is_drawn() -> None:
    rng = Random(1)
    drawn = [draw_theories(("core", "ints", "arrays"), EVERYTHING, rng) for _ in range(50)]
    assert {theory for each in drawn for theory in each} == {"core", "ints", "arrays"}


def test_theories_that_a_library_does_not_mix_are_not_drawn_together() -> None:
    exclusive = msgspec.structs.replace(EVERYTHING, exclusive_theories=(("quantifiers", "arrays"),))
    drawn = [set(draw_theories(COMMON, exclusive, Random(number))) for number in range(300)]
    assert not [each for each in drawn if each >= {"quantifiers", "arrays"}]
    assert any("quantifiers" in each for each in drawn)
    assert any("arrays" in each for each in drawn)
