"""The first release that shows something, by halves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from falsum.audits.bisection import first_release, releases_between
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo


def named(number: int) -> Solver:
    return replace(resolve("z3", Zoo()), name=f"z3@{number}")


@pytest.mark.parametrize("count", [2, 3, 7, 32])
def test_every_place_is_found(count: int) -> None:
    releases = [named(number) for number in range(count)]
    for first in range(1, count):
        bad = {each.name for each in releases[first:]}
        found = first_release(releases, lambda each, bad=bad: each.name in bad)  # type: ignore[misc]
        assert found is not None
        assert (found.last, found.first) == (releases[first - 1].name, releases[first].name)
        assert found.tested <= 2 + count.bit_length()


def test_ends_that_do_not_differ_are_no_search() -> None:
    releases = [named(0), named(1)]
    assert first_release(releases, lambda _each: True) is None
    assert first_release(releases, lambda _each: False) is None
    assert first_release(releases[:1], lambda _each: True) is None


def test_other_products_are_not_compared() -> None:
    zoo = Zoo()
    z3, cvc5 = resolve("z3", zoo), resolve("cvc5", zoo)
    assert releases_between(z3, cvc5, zoo) == []
    assert releases_between(z3, z3, zoo) == [z3, z3]
