"""Quantified fragments that the evaluator cannot value get the value on which two solvers agree."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from tests.labs import live_lab

from falsum.smtlib import read_script
from falsum.smtlib.scripts import Assert
from falsum.smtlib.verdict import Verdict
from falsum.solvers.fake_lab import FakeLab
from falsum.solvers.request import Request
from falsum.strategies.mutant import Seed
from falsum.strategies.storm import Storm
from falsum.strategies.storm.agreed_values import AgreedValues

SCRIPT = """(set-logic LIA)
(declare-fun a () Int)
(assert (forall ((x Int)) (exists ((y Int)) (= (+ x a) (* 2 y)))))
(assert (exists ((x Int)) (= (+ x a) 12345678)))
(assert (= (div a 0) 1))
(check-sat)
"""
WITNESS = "(define-fun a () Int 3)\n"


@pytest.mark.parametrize(("place", "value"), [(0, False), (1, True), (2, None)])
def test_two_solvers_must_refute_the_formula_or_its_negation(place: int, value: bool | None) -> None:
    script = read_script(SCRIPT)
    formula = [c.term for c in script.commands if isinstance(c, Assert)][place]
    with live_lab("z3", "cvc5", seconds=30) as lab:
        assert AgreedValues(script, lab, seconds=30).value(formula, WITNESS) is value


def test_one_solver_is_not_enough() -> None:
    script = read_script(SCRIPT)
    formula = next(c.term for c in script.commands if isinstance(c, Assert))
    with live_lab("z3", seconds=5) as lab:
        assert AgreedValues(script, lab, seconds=30).value(formula, WITNESS) is None


def test_values_that_no_script_can_contain_are_not_asked_about() -> None:
    script = read_script("(declare-sort U 0)(declare-fun u () U)(assert (forall ((v U)) (= u v)))(check-sat)")
    formula = next(c.term for c in script.commands if isinstance(c, Assert))
    lab = FakeLab({})
    assert AgreedValues(script, lab, seconds=30).value(formula, "(define-fun u () U (as @U_0 U))\n") is None
    assert not lab.asked


def test_an_instance_says_what_its_claim_rests_on() -> None:
    """Nonlinear quantified formulas are beyond the evaluator, and these two are easy for solvers."""
    script = """(set-logic NIA)(declare-fun a () Int)
    (assert (forall ((x Int)) (>= (* x x a a) 0)))(assert (exists ((x Int)) (= (* x x) (+ a 1))))(check-sat)
    """
    with live_lab("z3", "cvc5", seconds=2) as lab:
        storm = Storm(incremental=0, unsat=0, changed=0)
        mutants = list(islice(storm.mutants([Seed("nia", script)], Random(1), lab), 40))
        agreed = [m for m in mutants if any("two solvers that agree" in line for line in m.lineage)]
        assert agreed
        for mutant in agreed[:5]:
            assert mutant.claim is not None
            assert mutant.claim.verdicts == (Verdict.SAT,)
            for solver in lab.solvers:
                verdict = lab.ask(Request(solver, mutant.text)).verdict
                assert verdict is not Verdict.UNSAT
        without = islice(Storm(agreed=0, changed=0).mutants([Seed("nia", script)], Random(1), lab), 40)
        assert not any("(forall" in mutant.text for mutant in without)
