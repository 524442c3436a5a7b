"""The first release that shows something, by halves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from falsum.audits.bisection import Releases, first_release
from falsum.errors import SurroundingsError
from falsum.solvers.profiles import Profile
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Release, Zoo


def named(number: int) -> Solver:
    return replace(resolve("z3", Zoo()), name=f"z3@{number}")


class Shelf(Releases):
    """Releases by their numbers, some of which cannot be had."""

    def __init__(self, count: int, missing: frozenset[int] = frozenset()) -> None:
        self._missing = missing
        self.names = [f"z3@{number}" for number in range(count)]

    def solver(self, name: str) -> Solver | None:
        number = int(name.partition("@")[2])
        return None if number in self._missing else named(number)


@pytest.mark.parametrize("count", [2, 3, 7, 32])
def test_every_place_is_found(count: int) -> None:
    releases = Shelf(count)
    for first in range(1, count):
        bad = set(releases.names[first:])
        found = first_release(releases, lambda each, bad=bad: each.name in bad)  # type: ignore[misc]
        assert found is not None
        assert (found.last, found.first) == (releases.names[first - 1], releases.names[first])
        assert found.tested <= 2 + count.bit_length()


def test_releases_that_cannot_be_had_are_passed_over() -> None:
    releases = Shelf(9, frozenset({3, 4, 5}))
    bad = set(releases.names[4:])
    found = first_release(releases, lambda each: each.name in bad)
    assert found is not None
    assert (found.last, found.first) == ("z3@2", "z3@6")


def test_ends_that_do_not_differ_are_no_search() -> None:
    assert first_release(Shelf(2), lambda _each: True) is None
    assert first_release(Shelf(2), lambda _each: False) is None
    assert first_release(Shelf(1), lambda _each: True) is None


def test_other_products_are_not_compared() -> None:
    zoo = Zoo()
    z3, cvc5 = resolve("z3", zoo), resolve("cvc5", zoo)
    assert Releases(z3, cvc5, zoo).names == []
    assert Releases(z3, z3, zoo).names == [z3.name, z3.name]


class EmptyZoo(Zoo):
    """A zoo that has nothing yet; what it would install is noted."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.asked: list[str] = []

    def available(self, _profile: Profile) -> tuple[str, ...]:
        return ("5.4.0.0", "4.16.0.0", "4.15.0.0", "4.8.12.0", "4.8.7.0")

    def add(self, product: str, wanted: str = "") -> Release:
        self.asked.append(f"{product}@{wanted}")
        raise SurroundingsError("no such wheel")


def test_releases_of_the_index_are_installed_when_they_are_asked_for(tmp_path: Path) -> None:
    zoo = EmptyZoo(tmp_path)
    new = resolve("z3", zoo)
    assert new.release is not None
    old = replace(new, name="z3@4.8.12", release=replace(new.release, version="4.8.12.0"))
    assert Releases(old, new, zoo).names == [old.name, new.name]
    releases = Releases(old, new, zoo, installs=True)
    assert releases.names == ["z3@4.8.12", "z3@4.15.0.0", "z3@4.16.0.0", new.name]
    found = first_release(releases, lambda each: each is new)
    assert found is not None
    assert (found.last, found.first) == (old.name, new.name)
    assert zoo.asked == ["z3@4.15.0.0", "z3@4.16.0.0"]
