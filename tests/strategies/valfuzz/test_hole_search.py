"""Coercion by falsum's own evaluator: value mutants without a solver, with what was enforced, and claims."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from tests.labs import live_lab

from falsum.smtlib import read_script
from falsum.smtlib.evaluation.evaluator import payload_of, truth
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.verdict import Verdict
from falsum.solvers.request import Request
from falsum.strategies import Mutant, Seed
from falsum.strategies.valfuzz.hole_search import EVALUATOR, HoleSearch, Wish
from falsum.strategies.valfuzz.strategy import CONFIGURATIONS, ValFuzz

EVALUATED = replace(CONFIGURATIONS["default"], evaluated=1.0, compare=0.0)
SEEDS = (
    """(set-logic QF_SLIA)
(declare-fun x () Int)
(declare-fun y () Int)
(declare-fun s () String)
(assert (or (< (+ x 12) y) (> (* 3 x) 45)))
(assert (or (= x 3) (> y 10) (distinct (+ x y) 17)))
(assert (=> (= (str.len s) 5) (not (= s "abc"))))
(check-sat)
""",
    """(set-logic QF_BV)
(declare-fun v () (_ BitVec 16))
(declare-fun w () (_ BitVec 16))
(assert (let ((z (bvadd v #x0100))) (and (bvult z w) (not (= z #x1234)))))
(assert (or (= (bvmul v #x0003) w) (bvsgt w #x7000)))
(check-sat)
""",
    """(declare-fun f (Int) Real)
(declare-fun a () Int)
(define-fun g ((n Int)) Real (+ (f n) 2.5))
(assert (> (g a) (f (- a 1))))
(assert (distinct (f 7) (- 0.5)))
(check-sat)
""",
)


def mutants(text: str, strategy: ValFuzz, count: int, number: int = 1) -> list[Mutant]:
    return list(islice(strategy.mutants([Seed("seed", text)], Random(number), None), count))


def by_evaluator(made: list[Mutant]) -> list[Mutant]:
    return [one for one in made if f"solved by {EVALUATOR}" in one.lineage[0]]


@pytest.mark.parametrize("text", SEEDS)
def test_constants_are_found_without_a_solver(text: str) -> None:
    made = mutants(text, EVALUATED, 40)
    solved = by_evaluator(made)
    assert len(solved) > 0.7 * len(made)
    assert len({one.text for one in solved}) == len(solved)
    assert mutants(text, EVALUATED, 40) == made


def test_no_search_with_a_share_of_nothing() -> None:
    assert not by_evaluator(mutants(SEEDS[0], replace(EVALUATED, evaluated=0.0), 20))
    assert all(one.evaluated == 0 for name, one in CONFIGURATIONS.items() if name != "default")


@pytest.mark.parametrize("text", SEEDS)
def test_what_is_wished_for_holds(text: str) -> None:
    """The values of monitors are those that the evaluator finds for their terms under the model."""
    seed = EVALUATED.coerce(Seed("seed", text), Random(3), None)
    assert seed is not None
    search = HoleSearch.of(seed.meta, 300)
    found = 0
    for monitor in seed.meta.monitors:
        for wanted in (True, False):
            for solution in search.solutions([Wish(monitor.term, wanted)], 3, Random(5)):
                assert solution.model is not None
                assert payload_of(monitor.term, solution.model) is wanted
                assert all(
                    payload_of(seed.meta.monitors[number].term, solution.model) is value
                    for number, value in solution.monitors.items()
                )
                found += 1
    assert found > 3 * len(seed.meta.monitors)


def test_mutants_of_a_claimed_skeleton_are_sat_with_a_witness() -> None:
    claims = 0
    with live_lab("z3", seconds=5.0) as lab:
        for text in SEEDS:
            for mutant in by_evaluator(mutants(text, replace(EVALUATED, claimed=1.0), 40)):
                assert mutant.claim is not None
                script = read_script(mutant.text)
                model = read_model(mutant.claim.witness, script)
                assert all(truth(term, model) is True for term in script.assertions)
                assert lab.ask(Request("z3", mutant.text)).verdict is not Verdict.UNSAT
                claims += 1
    assert claims > 60


def test_many_value_mutants_come_from_one_enforcement() -> None:
    """One target has `samples` value mutants, where a solver's model gives one."""
    few, many = (len(mutants(SEEDS[0], replace(EVALUATED, samples=count, relc=0), 400)) for count in (1, 5))
    assert many > 2 * few


def test_the_number_of_evaluations_is_a_bound() -> None:
    hard = "(declare-fun x () Int)\n(assert (= (* x x x) 912673))\n(check-sat)\n"
    seed = EVALUATED.coerce(Seed("seed", hard), Random(3), None)
    assert seed is not None
    wish = Wish(seed.meta.monitors[0].term, wanted=True)
    assert not list(HoleSearch.of(seed.meta, 1).solutions([wish], 1, Random(1)))
    assert list(HoleSearch.of(seed.meta, 2000).solutions([wish], 1, Random(1)))


def test_bounds_that_bite_are_said() -> None:
    bounded = replace(EVALUATED, watched=2, largest=3, longest=10)
    (first, *_) = mutants(SEEDS[0], bounded, 1)
    assert "valfuzz: 8 sub-expressions of more than 3 subterms not watched" in first.lineage
    assert any("monitors of more than 10 characters" in line for line in first.lineage)
    (plain, *_) = mutants(SEEDS[0], EVALUATED, 1)
    assert not any("not watched" in line or "characters" in line for line in plain.lineage)
