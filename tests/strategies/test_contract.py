"""What every strategy has to keep, the day it is added."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from falsum.smtlib import read_script
from falsum.strategies import ALL, Seed, Strategy

SEEDS = [
    Seed(
        "strings",
        """(set-logic QF_SLIA)
(declare-fun x () String)
(declare-fun y () String)
(assert (= (str.replace x "B" (str.++ "B" "B")) (str.++ y "B")))
(assert (< (str.len x) (+ 1 (str.indexof y "a" 0))))
(check-sat)
""",
    ),
    Seed(
        "binders",
        """(set-logic ALL)
(declare-fun a () Int)
(declare-fun f (Int) Int)
(assert (forall ((z Int) (a Int)) (let ((w (+ z a)) (f 1)) (=> (> w f) (exists ((z Int)) (= z w))))))
(assert (! (= (f a) (+ a 1)) :named first))
(define-fun g ((z Int)) Int (ite (< z a) (f z) 0))
(assert (=> first (> (g 3) (f (g a)))))
(check-sat)
""",
    ),
    Seed(
        "bits",
        """(set-logic QF_ABV)
(declare-fun v () (_ BitVec 8))
(declare-fun w () (_ BitVec 4))
(declare-fun m () (Array (_ BitVec 4) (_ BitVec 8)))
(assert (bvult ((_ zero_extend 4) w) (bvadd v #x01)))
(push 1)
(assert (= (select m ((_ extract 3 0) v)) (concat w #b0101)))
(check-sat)
(pop 1)
(assert (not (= (store m w v) m)))
(check-sat)
""",
    ),
    Seed(
        "floats",
        """(set-logic QF_FP)
(declare-fun r () RoundingMode)
(declare-fun x () (_ FloatingPoint 5 11))
(declare-fun y () Float16)
(assert (fp.lt (fp.add r x y) (fp.mul RNE x (fp #b0 #b01111 #b0000000000))))
(assert (not (fp.isNaN (fp.sqrt r y))))
(check-sat)
""",
    ),
    Seed(
        "linear",
        """(set-logic QF_LIA)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (let ((k 3)) (> (* k x) (+ y 2))))
(assert (distinct (mod x 5) (- y)))
(check-sat)
""",
    ),
]


def mutants(strategy: Strategy, seed: Seed, number: int, count: int = 40) -> list[str]:
    seeds = [seed, *SEEDS[: max(strategy.arity - 1, 0)]]
    return [mutant.text for mutant in islice(strategy.mutants(seeds, Random(number), None), count)]


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
@pytest.mark.parametrize("seed", SEEDS, ids=lambda s: s.name)
def test_mutants_read_back(strategy: Strategy, seed: Seed) -> None:
    """Well-sorted by construction: our own reader takes every mutant."""
    made = mutants(strategy, seed, 1)
    assert made
    for text in made:
        read_script(text)


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
def test_same_number_same_mutants_in_any_process(strategy: Strategy) -> None:
    program = (
        "from tests.strategies.test_contract import mutants, SEEDS\n"
        "from falsum.strategies import BY_NAME\n"
        f"for seed in SEEDS: print(mutants(BY_NAME[{strategy.name!r}], seed, 7, 15))\n"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": str(salt), "PYTHONPATH": str(Path(__file__).parents[2])},
        ).stdout
        for salt in (1, 2)
    ]
    assert runs[0] == runs[1]
    assert runs[0].count("check-sat") > 20


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
def test_seeds_stay_as_they_are(strategy: Strategy) -> None:
    for seed in SEEDS:
        before = seed.script
        mutants(strategy, seed, 3)
        assert seed.script is before


@pytest.mark.parametrize("strategy", ALL, ids=lambda s: s.name)
def test_every_mutant_says_how_it_was_made(strategy: Strategy) -> None:
    for mutant in islice(strategy.mutants(SEEDS[:2], Random(5), None), 10):
        assert mutant.lineage
        assert all(line.startswith(strategy.name) for line in mutant.lineage)
