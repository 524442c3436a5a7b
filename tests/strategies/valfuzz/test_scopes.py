"""Variables that a let binds to regular expressions are replaced by their values."""

from __future__ import annotations

from random import Random

from falsum.smtlib import print_term, read_script
from falsum.strategies.valfuzz.holes import Skeleton
from falsum.strategies.valfuzz.meta_formula import MetaFormula, Refinements

SEED = """(set-logic QF_S)(declare-fun x () String)(declare-fun y () String)
(assert (let ((a (str.to_re "a")) (n (str.len x)))
  (let ((b (re.++ a (re.* a)))) (and (str.in_re x b) (or (str.in_re y a) (< n 3))))))
(check-sat)"""


def test_no_monitor_is_lost_under_a_let_of_regular_expressions() -> None:
    skeleton = Skeleton.of(read_script(SEED))
    assert skeleton is not None
    made = MetaFormula.of(skeleton, Refinements(), Random(1))
    shown = [print_term(monitor.term) for monitor in made.monitors]
    assert "(str.in_re y (str.to_re h1))" in shown
    assert "(str.in_re x (re.++ (str.to_re h1) (re.* (str.to_re h1))))" in shown
    assert read_script(made.test([(0, True)]))
    # The two memberships, the comparison, `or`, `and`, and the lets around them.
    assert len(shown) == 7
