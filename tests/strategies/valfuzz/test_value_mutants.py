"""What is known of value mutants: claims with a witness, and the values of monitors in them."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

from tests.labs import live_lab

from falsum.smtlib import read_script
from falsum.smtlib.evaluation.evaluator import truth
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.verdict import Verdict
from falsum.solvers.fake_lab import FakeLab
from falsum.solvers.lab import LiveLab
from falsum.solvers.request import Request
from falsum.strategies import Mutant, Seed
from falsum.strategies.valfuzz.seed_coercion import SeedCoercion
from falsum.strategies.valfuzz.strategy import CONFIGURATIONS, ValFuzz

BASIC = CONFIGURATIONS["skolu"]
COMPARED = """(set-logic QF_LIA)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (or (< (+ x 12) y) (> (* 3 x) 45)))
(assert (or (= x 3) (> y 10) (distinct (+ x y) 17)))
(check-sat)
"""
FIGURE_3 = "(declare-fun x () Int)\n(assert (or (> x 7) (< x -1)))\n(check-sat)\n"


def coerced(strategy: ValFuzz, text: str, lab: FakeLab | LiveLab | None, number: int = 1) -> SeedCoercion:
    found = strategy.coerce(Seed("seed", text), Random(number), lab)
    assert found is not None
    return found


def constants_in(mutants: list[Mutant]) -> list[str]:
    return [m.text for m in mutants if "solved by" in m.lineage[0]]


def z3() -> LiveLab:
    return live_lab("z3", seconds=5.0)


def test_value_mutants_that_the_model_satisfies_are_claimed() -> None:
    claims = 0
    with z3() as lab:
        for name in ("cpog", "default"):
            strategy = replace(CONFIGURATIONS[name], witnessed=True)
            for mutant in islice(coerced(strategy, COMPARED, lab).mutants(), 80):
                if mutant.claim is None:
                    continue
                claims += 1
                script = read_script(mutant.text)
                assert mutant.claim.verdicts == (Verdict.SAT,)
                assert all(
                    truth(term, read_model(mutant.claim.witness, script)) for term in script.assertions
                )
                assert lab.ask(Request("z3", mutant.text)).verdict is Verdict.SAT
    assert claims > 20


def test_coverage_in_mutants_is_measured_on_request() -> None:
    with z3() as lab:
        seed = coerced(replace(BASIC, measured=True), FIGURE_3, lab)
        mutants = list(seed.mutants())
        plain = coerced(BASIC, FIGURE_3, lab)
        list(plain.mutants())
    assert 3 <= len(seed.coverage.in_mutants) <= 6
    assert any(" in mutants" in line for mutant in mutants for line in mutant.lineage)
    assert not plain.coverage.in_mutants


def test_models_that_satisfy_a_mutant_cover_its_monitors_without_a_question() -> None:
    """Definition III.2 is about models of value mutants; lineages report both coverages."""
    with z3() as lab:
        claiming = coerced(replace(BASIC, claimed=1.0, witnessed=True), FIGURE_3, lab)
        lines = [mutant.lineage[-1] for mutant in claiming.mutants()]
    covered = claiming.coverage.in_mutants
    assert covered
    assert set(covered) <= set(claiming.coverage.seen)
    assert any(" values seen, " in line and " in mutants" in line for line in lines)
