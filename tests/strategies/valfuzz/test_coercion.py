"""Solvers give different models, by options of their profiles; who rejects them is asked without."""

from __future__ import annotations

import re
from random import Random

import pytest
from tests.labs import live_lab

from falsum.smtlib import print_term, read_script
from falsum.solvers.answer import Answer, Ending, EndingKind
from falsum.solvers.fake_lab import FakeLab
from falsum.solvers.lab import Lab
from falsum.strategies.valfuzz.coercion import HoleSolver
from falsum.strategies.valfuzz.coverage import TargetOutcome
from falsum.strategies.valfuzz.holes import Skeleton

TEXT = """(set-logic QF_LIA)(declare-fun x () Int)(declare-fun y () Int)
(assert (< (+ x 5) y))(assert (or (> y 7) (< x 2)))(check-sat)"""


def solver_in(lab: Lab) -> tuple[HoleSolver, str]:
    skeleton = Skeleton.of(read_script(TEXT))
    assert skeleton is not None
    return HoleSolver(lab, read_script(skeleton.opened), skeleton.holes, (), 2.0, 100), skeleton.opened


def test_a_solver_gives_different_models() -> None:
    for product in ("z3", "cvc5"):
        with live_lab(product, seconds=2) as lab:
            solver, test = solver_in(lab)
            seen = set()
            for number in range(12):
                (found,) = solver.solutions(test, 1, Random(number))
                assert found.outcome is TargetOutcome.SAT
                seen.add(tuple(sorted((place, print_term(term)) for place, term in found.constants.items())))
            assert product != "z3" or len(seen) >= 4


def test_soft_constraints_are_minded_with_options_too() -> None:
    """z3's tactics ignore soft constraints."""
    with live_lab("z3", seconds=30) as lab:
        solver, test = solver_in(lab)
        wish = [f"(assert-soft (= {hole.name} 4711))\n" for hole in solver.holes[:1]]
        for number in range(8):
            (found,) = solver.solutions(test, 1, Random(number), wish)
            assert print_term(found.constants[solver.holes[0].place]) == "4711"


def test_only_a_share_of_the_calls_has_options() -> None:
    lab = FakeLab({"z3": lambda _text: "unsat"})
    solver, test = solver_in(lab)
    solver.varied = 0.5
    for number in range(40):
        list(solver.solutions(test, 1, Random(number)))
    assert 10 < sum("set-option" in text for _, text in lab.asked) < 30


def test_a_release_that_rejects_the_options_is_asked_without() -> None:
    rejected, answered = Answer((), Ending(EndingKind.REJECTED)), "unsat"
    lab = FakeLab({"z3": lambda text: rejected if "set-option" in text else answered})
    solver, test = solver_in(lab)
    for number in range(4):
        (found,) = solver.solutions(test, 1, Random(number))
        assert found.outcome is TargetOutcome.UNSAT
    with_options = [text for _, text in lab.asked if "set-option" in text]
    assert len(with_options) == 1


@pytest.mark.parametrize(
    ("solver", "names"),
    [("z3", {"smt.random_seed", "sat.random_seed"}), ("cvc5", {"seed", "sat-random-seed"}),
     ("cvc4", {"seed", "random-seed"})],
)  # fmt: skip
def test_each_product_gets_its_own_random_seeds(solver: str, names: set[str]) -> None:
    lab = FakeLab({solver: lambda _text: "unsat"})
    hole_solver, test = solver_in(lab)
    list(hole_solver.solutions(test, 1, Random(1)))
    ((_, script),) = lab.asked
    assert {name for name in re.findall(r"\(set-option :(\S+) ", script) if "seed" in name} == names
