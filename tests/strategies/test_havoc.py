"""havoc makes edits of every kind, several at once, and never two at the same place."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from falsum.smtlib import read_script
from falsum.strategies.havoc import Havoc
from falsum.strategies.mutant import Mutant, Seed

SEED = Seed(
    "seed",
    """(set-logic ALL)
(declare-fun x () Int)
(declare-fun v () (_ BitVec 8))
(declare-fun f () (_ FloatingPoint 8 24))
(assert (< (+ x 7) (* 2 x)))
(assert (= (bvadd v #x2a) (bvmul v v)))
(assert (fp.lt f ((_ to_fp 8 24) RNE 1.5)))
(check-sat)
""",
)


def made(count: int, rng: int = 0, strategy: Havoc | None = None, seed: Seed = SEED) -> list[Mutant]:
    return list(islice((strategy or Havoc()).mutants([seed], Random(rng), None), count))


def edits(mutants: list[Mutant]) -> set[str]:
    return {line.partition(": ")[2] for mutant in mutants for line in mutant.lineage}


def test_mutants_can_be_read_and_differ_from_the_seed() -> None:
    for mutant in made(200):
        assert read_script(mutant.text)
        assert mutant.text.split() != SEED.text.split()


@pytest.mark.parametrize(
    "edit",
    [
        "bvadd -> bvmul",  # an operator
        "7 -> 0",  # a constant, a corner case of integers
        "RNE -> RTZ",
        "v -> (bvmul v v)",  # an expression
        "v -> #b00000000",  # an expression by a constant
    ],
)
def test_every_kind_of_edit_is_made(edit: str) -> None:
    assert edit in edits(made(2_000))


def test_other_constants_than_corner_cases_occur() -> None:
    new = {edit.removeprefix("#x2a -> ") for edit in edits(made(2_000)) if edit.startswith("#x2a -> #b")}
    assert len(new) > 12


def test_edits_of_different_kinds_meet_in_one_mutant() -> None:
    mixed = [edits([mutant]) for mutant in made(2_000)]
    assert any("bvadd -> bvmul" in some and any(edit.startswith("7 -> ") for edit in some) for some in mixed)


def test_most_limits_the_edits() -> None:
    assert {len(mutant.lineage) for mutant in made(300, strategy=Havoc(most=3))} == {1, 2, 3}
    assert {len(mutant.lineage) for mutant in made(100, strategy=Havoc(most=1))} == {1}


def test_edits_do_not_overlap() -> None:
    for mutant in made(500):
        starts = [int(line.split()[1].rstrip(":")) for line in mutant.lineage]
        lengths = [len(line.partition(": ")[2].partition(" -> ")[0]) for line in mutant.lineage]
        ends = [start + length for start, length in zip(starts, lengths, strict=True)]
        assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))


def test_constants_that_solvers_insist_on_stay() -> None:
    text = '(set-logic QF_S)(declare-fun s () String)(assert (str.in_re s (re.range "a" "c")))(check-sat)'
    assert not any(edit.startswith('"') for edit in edits(made(300, seed=Seed("range", text))))


def test_a_seed_without_anything_to_edit_has_no_mutants() -> None:
    assert made(1, seed=Seed("empty", "(set-logic QF_UF)(check-sat)")) == []
