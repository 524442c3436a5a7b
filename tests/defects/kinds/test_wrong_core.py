"""Cores and assumptions that are satisfiable are found, judged, reduced and reported; right ones are not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.defects import liars
from tests.defects.forgeries import forger, found_in, triaged
from tests.labs import live_lab

from falsum.defects.defect import Oracle
from falsum.defects.evidence.judgement import Defect
from falsum.defects.kinds.wrong_assumptions import AssumptionsOracle
from falsum.defects.kinds.wrong_core import CoreOracle
from falsum.smtlib import read_script
from falsum.smtlib.term_names import assertions_in_core
from falsum.smtlib.text.script_modes import MODES
from falsum.smtlib.verdict import Verdict
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.request import Request, Want

SCRIPT = """(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (> y 3))
(assert (< (+ x y) 8))
(assert (> x 3))
(check-sat)
"""
# Assertions that are popped, have names, or none; assumptions.
SCRIPTS = [
    SCRIPT,
    """(declare-const a Bool)(push 1)(assert a)(check-sat)(pop 1)
    (assert (! (not a) :named own))(assert (and a a))(check-sat)""",
    """(declare-const a Bool)(declare-const b Bool)(assert (or a b))(assert (or a (not b)))
    (check-sat-assuming (b (not a)))""",
    """(declare-fun p (Int) Bool)(assert (! (forall ((x Int)) (p x)) :weight 3))
    (assert (not (p 3)))(assert (p 4))(check-sat)""",
    # cvc5 lists `inner` for the last assertion, which is the same formula.
    """(declare-const a Int)(assert (not (! (not (<= a 1)) :named inner)))(assert (> a 0))
    (assert (not (<= a 1)))(check-sat)""",
]
ORACLES = [CoreOracle(), AssumptionsOracle()]


@pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: oracle.name)
@pytest.mark.parametrize("script", SCRIPTS)
def test_right_answers_are_not_reported(oracle: Oracle, script: str) -> None:
    with live_lab("z3", "cvc5", seconds=20.0) as lab:
        assert found_in(oracle, script, lab) is None


@pytest.mark.parametrize("mode", MODES)
def test_right_cores_are_not_reported_in_any_mode(mode: str) -> None:
    with live_lab(f"z3:script={mode}", f"cvc5:script={mode}", seconds=20.0) as lab:
        assert found_in(CoreOracle(), SCRIPT, lab) is None
        asked = lab.ask(Request(f"cvc5:script={mode}", SCRIPT, Want.CORE)).core
        assert asked is not None
        assert len(assertions_in_core(asked, read_script(SCRIPT).assertions)) == 3


@pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: oracle.name)
def test_a_forged_list_is_reported_from_finding_to_report(oracle: Oracle, tmp_path: Path) -> None:
    suspect = forger("core")
    made, report = triaged(oracle, SCRIPT, (suspect, "z3"), tmp_path)
    defect = Defect.WRONG_CORE if oracle.name == "core" else Defect.WRONG_ASSUMPTIONS
    assert (made.judgement.defect, made.judgement.suspects) == (defect, (suspect,))
    assert made.judgement.evidence[0].kind == "model"
    assert made.cold.always
    assert made.reduction is not None
    assert "satisfiable for an arithmetic formula" in report
    assert "evaluates to true" in report
    replayed = subprocess.run(
        [tmp_path / "finding" / "replay.sh"], capture_output=True, text=True, check=False
    )
    assert (replayed.returncode, replayed.stdout.splitlines()[-1]) == (1, "the bug shows")


def test_one_solver_is_enough() -> None:
    suspect = forger("core")
    with live_lab(suspect, seconds=20.0) as lab:
        found = found_in(CoreOracle(), SCRIPT, lab)
    assert found is not None
    assert found.suspects == (suspect,)
    assert found.request is not None


@pytest.mark.parametrize("oracle", ORACLES, ids=lambda oracle: oracle.name)
def test_the_word_of_another_solver_alone_proves_nothing(oracle: Oracle) -> None:
    unsat = Answer((Verdict.UNSAT,), FINISHED, core="(falsum!1)", printed=("(falsum!a1)",))
    lab = liars.lab_of(a=liars.says(unsat), b=lambda script: "unknown" if script == SCRIPT else "sat")
    found = oracle.find(liars.case_of(SCRIPT), lab)
    assert found is not None
    assert found.suspects == ("a", "b")
    assert "satisfiable" not in found.evidence
    assert found.evidence.endswith("b answers sat to it")
