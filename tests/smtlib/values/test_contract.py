"""A fast slice of the comparison with real solvers; `crosscheck.run` does the long one."""

from __future__ import annotations

import pytest
from tests.smtlib.values.asking import SOLVERS, answers
from tests.smtlib.values.crosscheck import Report, operators, run_batch

COUNT = 25


@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers_share_our_claims(solver: str) -> None:
    names = [name for name, operator in operators().items() if solver in operator.solvers]
    report = Report()
    run_batch(solver, names, COUNT, rng_number=1, report=report)
    assert [found.script for found in report.disagreements] == []
    assert [found.script for found in report.undecided] == []
    assert report.agreed + report.open_points == COUNT * len(names)
    assert report.agreed > report.open_points


@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers_deny_false_claims(solver: str) -> None:
    false = ["(= (bvadd #b01 #b01) #b11)", "(= (fp.isNaN (_ +oo 5 11)) true)"]
    true = "(= (bvadd #b01 #b01) #b10)"
    assert answers(solver, [*false, true], 60) == ["sat", "sat", "unsat"]
