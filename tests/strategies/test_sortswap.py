"""sortswap replaces sorts everywhere, with their values, and keeps scripts well-sorted."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from falsum.smtlib import read_script
from falsum.strategies.mutant import Mutant, Seed
from falsum.strategies.sortswap import SortSwap

ARRAYS = Seed(
    "arrays",
    """(set-logic QF_ABV)
(declare-const i (_ BitVec 3))
(declare-const a (Array (_ BitVec 3) (_ BitVec 2)))
(assert (= (store a i #b01) ((as const (Array (_ BitVec 3) (_ BitVec 2))) #b10)))
(assert (distinct (select a #b111) #b01))
(check-sat)
""",
)


def made(count: int, seed: Seed = ARRAYS, strategy: SortSwap | None = None) -> list[Mutant]:
    return list(islice((strategy or SortSwap()).mutants([seed], Random(3), None), count))


def test_mutants_can_be_read_and_no_sort_is_forgotten() -> None:
    for mutant in made(300):
        assert read_script(mutant.text)
        replaced = {line.partition(": ")[2].partition(" -> ")[0] for line in mutant.lineage}
        brought = " ".join(line.partition(" -> ")[2] for line in mutant.lineage)
        assert not any(sort in mutant.text for sort in replaced if sort not in brought)


@pytest.mark.parametrize("sort", ["RoundingMode", "Bool", "Int", "(_ BitVec 1)", "(_ FloatingPoint 2 3)"])
def test_other_sorts_and_widths_come_in(sort: str) -> None:
    assert any(f"(declare-const i {sort})" in mutant.text for mutant in made(400))


def test_different_values_stay_different_as_far_as_there_are_enough() -> None:
    (mutant,) = {m.text for m in made(400) if m.lineage == ("sortswap: (_ BitVec 2) -> Int",)}
    assert "(store a i 1)" in mutant
    assert "Int)) 0)" in mutant
    assert "(distinct (select a #b111) 1)" in mutant


def test_a_declared_sort_is_declared_and_has_no_values() -> None:
    text = "(declare-const x (_ BitVec 3))(declare-const y (_ BitVec 3))(assert (distinct x y))(check-sat)"
    declared = [m.text for m in made(400, Seed("free", text)) if "declare-sort" in m.text]
    assert declared
    assert all(one.startswith("(declare-sort S 0)") for one in declared)
    assert not any(line.endswith("2) -> S") for m in made(400) for line in m.lineage)


def test_operators_that_the_new_sort_lacks_become_functions() -> None:
    text = "(declare-const x Int)(assert (> (* x x) (+ x 2)))(check-sat)"
    swapped = [m.text for m in made(400, Seed("sum", text)) if m.lineage == ("sortswap: Int -> String",)]
    assert "(declare-fun *!1 (String String) String)" in swapped[0] or "(declare-fun *!0" in swapped[0]
    kept = [m.text for m in made(400, Seed("sum", text)) if m.lineage == ("sortswap: Int -> Real",)]
    assert "declare-fun" not in kept[0]


def test_a_script_that_leaves_its_logic_says_so() -> None:
    for mutant in made(300):
        is_other = any("-> (_ BitVec" not in line for line in mutant.lineage)
        assert ("(set-logic ALL)" in mutant.text) is is_other
    assert any("(set-logic QF_ABV)" in mutant.text for mutant in made(300))


def test_most_limits_the_sorts() -> None:
    assert {len(mutant.lineage) for mutant in made(100, strategy=SortSwap(most=1))} == {1}
