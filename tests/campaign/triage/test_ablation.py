"""Which options a defect needs, how often it shows, and which products read the script."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.campaign.places import HONEST, liar

from falsum.campaign.triage.ablation import TIMES, Ablation, readers
from falsum.campaign.triage.result import Reproduced
from falsum.defects.case import Case
from falsum.defects.evidence.judgement import Defect
from falsum.defects.targets.target import Target
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.solver import Solver, resolve
from falsum.solvers.zoo import Zoo
from falsum.strategies.mutant import Mutant

SCRIPT = """(set-option :produce-models true)
(set-option :produce-unsat-cores true)
(set-logic QF_LIA)
(declare-fun x () Int)
(assert (> (abs x) 3))
(check-sat)
"""
# Says unsat to a script if it has this option and is called with that one.
WRONG = """#!/bin/sh
for last; do :; done
verdict=sat script=$(cat "$last")
case "$*" in *smt.arith.solver=2*) case $script in *unsat-cores*) verdict=unsat;; esac;; esac
echo $verdict
"""


@pytest.fixture
def lab() -> Iterator[LiveLab]:
    with LiveLab((), Limits(seconds=10.0)) as made:
        yield made


@pytest.fixture
def solver(tmp_path: Path) -> Solver:
    program = tmp_path / "z3"
    program.write_text(WRONG)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return resolve(f"{program}:smt.arith.solver=2,smt.random_seed=4,sat.threads=1", Zoo())


def ablation(lab: LiveLab, text: str = SCRIPT) -> Ablation:
    target = Target(Defect.REFUTATION_UNSOUNDNESS, truth=Verdict.SAT).on(text)
    return Ablation(lab, target, Case(Mutant(text)))


def test_options_are_left_out_once_each(lab: LiveLab, solver: Solver) -> None:
    least, records = ablation(lab).minimal_options(solver)
    assert least.settings == (("smt.arith.solver", "2"),)
    assert [(record.option, record.is_needed, record.without) for record in records] == [
        ("sat.threads=1", False, "unsat"),
        ("smt.random_seed=4", False, "unsat"),
        ("smt.arith.solver=2", True, "sat"),
        ("(set-option :produce-models true)", False, "unsat"),
        ("(set-option :produce-unsat-cores true)", True, "sat"),
    ]


def test_options_of_a_script_that_only_a_solver_can_read_stay(lab: LiveLab, solver: Solver) -> None:
    _, records = ablation(lab, SCRIPT + "(assert").minimal_options(solver)
    assert {record.option for record in records} == {
        "sat.threads=1", "smt.random_seed=4", "smt.arith.solver=2",
    }  # fmt: skip


def test_how_often_it_shows(lab: LiveLab, solver: Solver) -> None:
    trials = ablation(lab)
    cold, sight = trials.reproduced_cold(solver)
    assert (cold, sight.text) == (Reproduced(TIMES, TIMES), "unsat")
    assert trials.reproduced_with_seeds(solver).times == 3
    cold, sight = trials.reproduced_cold(resolve(HONEST, Zoo()))
    assert (cold, sight.text) == (Reproduced(0, TIMES), "sat")
    # A product without random seeds is not tried.
    assert trials.reproduced_with_seeds(resolve(liar("verdict"), Zoo())) == Reproduced(0, 0)


@pytest.mark.parametrize(
    ("mode", "is_reader"),
    [
        ("honest", True),
        ("verdict", True),
        ("unknown", True),
        ("error", False),
        ("crash", False),
        ("abort", False),
    ],
)
def test_who_rejects_a_script_or_crashes_on_it_is_no_reader(
    lab: LiveLab, mode: str, *, is_reader: bool
) -> None:
    solver = resolve(liar(mode), Zoo())
    lab.add(solver)
    assert readers(lab, [solver], SCRIPT) == ((solver.profile.product,) if is_reader else ())


def test_a_product_reads_a_script_if_one_of_its_releases_does(lab: LiveLab) -> None:
    solvers = [resolve(name, Zoo()) for name in (liar("error"), HONEST, liar("honest", "x"), "z3")]
    for solver in solvers:
        lab.add(solver)
    assert readers(lab, solvers, SCRIPT) == (solvers[0].profile.product, "z3")
