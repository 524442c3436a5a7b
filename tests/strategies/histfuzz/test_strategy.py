"""histfuzz: atoms of a corpus in the skeleton of a seed; constants matched by sort, none captured."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from falsum.errors import UsageError
from falsum.smtlib import print_term, read_script
from falsum.strategies import BY_NAME, find_strategy
from falsum.strategies.mutant import Seed

SEED = Seed(
    "seed",
    "(set-logic ALL)(declare-const a Int)(declare-const y Bool)(assert (or (not (> a 3)) y))(check-sat)",
)


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    (tmp_path / "donor.smt2").write_text(
        "(set-logic ALL)(declare-const b Int)(declare-const r Real)"
        "(assert (exists ((a Int) (y Int)) (= (+ a y) b)))(assert (< r 0.5))(check-sat)"
    )
    return str(tmp_path)


def texts(name: str, count: int = 60) -> list[str]:
    strategy = find_strategy(name, BY_NAME)
    return [mutant.text for mutant in islice(strategy.mutants((SEED,), Random(1), None), count)]


def test_atoms_are_replaced_and_the_structure_stays(corpus: str) -> None:
    found = texts(f"histfuzz:corpus={corpus}")
    for text in found:
        (term,) = read_script(text).assertions
        assert print_term(term).startswith("(or ")
    assert any("(< r 0.5)" in text and "(declare-fun r () Real)" in text for text in found)


def test_constants_are_matched_by_sort_and_not_captured(corpus: str) -> None:
    matched = texts(f"histfuzz:corpus={corpus},matched=1.0")
    quantified = [text for text in matched if "exists" in text]
    assert quantified
    for text in quantified:
        # `a` of the seed stands for `b`, so the bound `a` has another name.
        assert "(exists ((a!1 Int) (y Int)) (= (+ a!1 y) a))" in text
        assert "declare-fun b" not in text
    new = [text for text in texts(f"histfuzz:corpus={corpus},matched=0.0") if "exists" in text]
    assert all("(declare-fun b () Int)" in text for text in new)


def test_one_atom_at_a_time(corpus: str) -> None:
    strategy = find_strategy(f"histfuzz:corpus={corpus},most=1", BY_NAME)
    mutants = islice(strategy.mutants((SEED,), Random(1), None), 30)
    assert {sum(line.startswith("histfuzz: ") for line in mutant.lineage) for mutant in mutants} == {1}


def test_a_folder_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="no such folder"):
        find_strategy("histfuzz:corpus=/nowhere", BY_NAME)


def test_a_seed_gets_nothing_that_its_solvers_may_not_read(tmp_path: Path) -> None:
    (tmp_path / "donor.smt2").write_text(
        "(set-logic ALL)(declare-const b Int)(declare-const c Bool)"
        "(assert ((_ at-most 1) c c))(assert ((_ divisible 3) b))(assert (< b 7))(check-sat)"
    )
    found = " ".join(texts(f"histfuzz:corpus={tmp_path}"))
    assert "7" in found
    assert "at-most" not in found
    assert "divisible" not in found
