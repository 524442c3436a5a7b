"""Tallies add up, whatever their fields are."""

from __future__ import annotations

import msgspec

from falsum.campaign.library.batch import LibraryTally
from falsum.campaign.tally import FuzzTally


def test_tallies_add_up() -> None:
    one = FuzzTally(mutants=1, said={"z3": {"sat": 1}})
    other = FuzzTally(mutants=2, said={"z3": {"sat": 2, "unsat": 1}, "cvc5": {"sat": 1}})
    one.add(other)
    one.add(FuzzTally(said={"cvc5": {"sat": 1}}))
    assert one.mutants == 3
    assert one.said == {"z3": {"sat": 3, "unsat": 1}, "cvc5": {"sat": 2}}
    # The other one is left as it was.
    assert other.said == {"z3": {"sat": 2, "unsat": 1}, "cvc5": {"sat": 1}}
    assert msgspec.convert(one.plain(), FuzzTally) == one


def test_those_of_libraries_as_well() -> None:
    one = LibraryTally(1, 10, {"done": 1}, {"sat": 2})
    one.add(LibraryTally(2, 5, {"done": 1, "raised": 1}, {}, {"no": 1}, cpu=0.5))
    assert one == LibraryTally(3, 15, {"done": 2, "raised": 1}, {"sat": 2}, {"no": 1}, cpu=0.5)
    # The store has more in it than the tally.
    assert msgspec.convert(one.plain() | {"first": 4}, LibraryTally) == one
