"""Instances of storm: bounds that are said, contradictions, tactics."""

from __future__ import annotations

import re
from itertools import islice
from random import Random

from tests.labs import live_lab
from tests.strategies.drawn import draw

from falsum.smtlib import read_script
from falsum.smtlib.verdict import Verdict
from falsum.solvers.request import Request
from falsum.strategies.mutant import Claim, Seed
from falsum.strategies.parameters import configured
from falsum.strategies.storm import Storm
from falsum.strategies.storm.contradiction import ContradictoryAssertions
from falsum.strategies.storm.formulas import Formula

SEED = Seed(
    "integers",
    """(set-logic QF_LIA)
(declare-fun x () Int)
(declare-fun named () Int)
(declare-fun p () Bool)
(assert (=> p (< x named)))
(assert (or (= (mod x 3) 1) (> named 4) (not p)))
(assert (distinct x (- named)))
(check-sat)
""",
)


def test_what_bounds_leave_out_is_said() -> None:
    storm = Storm(size=100, assertions=40, depth=1, unsat=0.0)
    lines = {line for mutant in draw(storm, [SEED], 1, 20) for line in mutant.lineage}
    assert "storm: 1 fragments deeper than 1 connectives left out" in lines
    assert any(re.fullmatch(r"storm: \d+ more would exceed 100 characters", line) for line in lines)
    short = Storm(longest=20, unsat=0.0)
    (mutant,) = draw(short, [SEED], 1, 1)
    assert "storm: 2 fragments of more than 20 characters left out" in mutant.lineage


def test_without_bounds_on_their_text_instances_have_as_many_assertions_as_are_drawn() -> None:
    """In STORM's own seeds, fragments of several thousand characters are usual."""
    long = " ".join(f"(* {n} x)" for n in range(1000))
    seed = Seed("long", f"(declare-fun x () Int)(assert (not (< 4 (+ {long}))))(check-sat)")
    assert len(seed.text) > 8000
    assert not list(islice(Storm(changed=0.0).mutants([seed], Random(1), None), 1))
    paper = configured(Storm(), ["paper", "incremental=0", "tactics=0"])
    counts = [len(read_script(mutant.text).assertions) for mutant in draw(paper, [seed], 1, 30)]
    assert max(counts) > 50
    assert sum(counts) / len(counts) > 20


def test_instances_with_a_contradiction_are_unsat() -> None:
    with live_lab("z3", "cvc5", seconds=5) as lab:
        for mutant in draw(Storm(unsat=1.0, changed=0.0), [SEED, SEED], 4, 60):
            assert mutant.claim == Claim((Verdict.UNSAT,))
            assert "hidden" in mutant.text
            for solver in lab.solvers:
                assert lab.ask(Request(solver, mutant.text)).verdicts == (Verdict.UNSAT,), mutant.text


def test_a_contradiction_needs_all_of_its_assertions() -> None:
    """Without the formula itself, or without its negation, some assignment is left most of the time."""
    sat = 0
    atoms = [Formula(f"p{n}", holds=True, depth=0) for n in range(5)]
    declared = "".join(f"(declare-fun p{n} () Bool)\n" for n in range(5))
    with live_lab("z3", seconds=5) as lab:
        for number in range(40):
            made = ContradictoryAssertions.of(atoms, "q", Random(number))
            assert made is not None
            for left_out in range(len(made.assertions)):
                rest = made.assertions[:left_out] + made.assertions[left_out + 1 :]
                script = "".join([declared, *made.declarations, *rest, "(check-sat)\n"])
                sat += lab.ask(Request("z3", script)).verdict is Verdict.SAT
    assert sat > 100


def test_tactics_are_those_of_the_solvers() -> None:
    tactics = Storm(tactics=1.0, incremental=0.0, unsat=0.0, changed=0.0, shuffled=False)
    with live_lab("z3", "cvc5", seconds=5) as lab:
        made = draw(tactics, [SEED], 1, 60, lab)
        checks = {mutant.text.splitlines()[-1] for mutant in made}
        assert "(check-sat-using (then dom-simplify smt))" in checks
        assert len(checks) > 15
        for mutant in made:
            answer = lab.ask(Request("z3", mutant.text))
            assert answer.verdict in (Verdict.SAT, Verdict.UNKNOWN, None), mutant.text
    with live_lab("cvc5", seconds=5) as lab:
        assert not any("check-sat-using" in mutant.text for mutant in draw(tactics, [SEED], 1, 10, lab))
    own = configured(tactics, ["tactic=horn/(then nnf smt)"])
    checks = {mutant.text.splitlines()[-1] for mutant in draw(own, [SEED], 1, 20)}
    assert checks == {"(check-sat-using horn)", "(check-sat-using (then nnf smt))"}
