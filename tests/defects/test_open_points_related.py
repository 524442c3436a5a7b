"""Generated scripts that relate open points: no solver is blamed without proof for every choice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from bench.evaluator.related_points import SOLVERS, Examination, examination, scripts
from tests.defects import liars

from falsum.errors import SurroundingsError
from falsum.smtlib import read_script
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

COUNT = 200


@pytest.fixture(scope="module")
def lab() -> Iterator[LiveLab]:
    """The bundled solvers, and those of the zoo that could be installed."""
    zoo, solvers = Zoo(), []
    for name in SOLVERS:
        try:
            solvers.append(resolve(name, zoo))
        except SurroundingsError:
            continue
    with LiveLab(solvers, Limits(seconds=5)) as lab:
        yield lab


def test_the_same_random_numbers_make_the_same_scripts() -> None:
    first, second = (list(islice(scripts(Random(3)), 50)) for _ in range(2))
    assert first == second
    assert len(set(first)) > 40
    for text in first:
        assert read_script(text).not_understood == ()


def test_nobody_is_blamed_for_a_relation_between_open_points(lab: LiveLab) -> None:
    for text in islice(scripts(Random(11)), COUNT):
        examined = examination(text, lab)
        assert examined.is_proved or not examined.blamed, f"{examined.why}\n{text}"


def test_who_is_blamed_with_and_without_proof_is_told_apart() -> None:
    text = next(scripts(Random(1)))
    model = "((define-fun x () Real 1.0))"
    proved = "(declare-const x Real)(assert (or (= x 1.0) (= (/ x 0.0) (/ 1.0 x))))(check-sat)"
    lab = liars.lab_of(a=liars.says(liars.sat(model)), b=liars.says("unsat"))
    examined = examination(proved, lab)
    assert (examined.blamed, examined.is_proved) == (("b",), True)
    assert examination(text, liars.lab_of(a=liars.says("sat"), b=liars.says("sat"))) == Examination(
        contradict=False
    )
    for verdict in ("sat", "unsat"):
        lab = liars.lab_of(a=liars.says("sat"), b=liars.says("unsat"), c=liars.says(verdict))
        assert examination(text, lab) == Examination(contradict=True)
