"""Wishes for constants, which are dropped where they are impossible."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from random import Random

from tests.labs import live_lab

from falsum.solvers.fake_lab import FakeLab
from falsum.solvers.lab import LiveLab
from falsum.strategies import Mutant, Seed
from falsum.strategies.valfuzz.seed_coercion import SeedCoercion
from falsum.strategies.valfuzz.strategy import ValFuzz

COMPARED = """(set-logic QF_LIA)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (or (< (+ x 12) y) (> (* 3 x) 45)))
(assert (or (= x 3) (> y 10) (distinct (+ x y) 17)))
(check-sat)
"""


def coerced(strategy: ValFuzz, text: str, lab: FakeLab | LiveLab | None, number: int = 1) -> SeedCoercion:
    found = strategy.coerce(Seed("seed", text), Random(number), lab)
    assert found is not None
    return found


def constants_in(mutants: list[Mutant]) -> list[str]:
    return [m.text for m in mutants if "solved by" in m.lineage[0]]


def z3() -> LiveLab:
    return live_lab("z3", seconds=5.0)


def test_constants_near_those_of_the_seed() -> None:
    """A model's own values are zero and empty most of the time."""
    shares = []
    with z3() as lab:
        for near in (0.0, 1.0):
            plain = replace(ValFuzz(), keep=0.0, varied=0.0, compare=0.0, maxsmt=0.0, evaluated=0.0)
            strategy = replace(plain, near=near)
            mutants = constants_in(list(islice(coerced(strategy, COMPARED, lab).mutants(), 60)))
            numbers = [
                number for text in mutants for number in re.findall(r"-?\d+", text.partition("y () Int)")[2])
            ]
            shares.append(sum(number == "0" for number in numbers) / len(numbers))
    assert shares[1] < shares[0] / 2
