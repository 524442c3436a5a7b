"""Atoms that a simplifier decides at a glance are recognised, and sparrow makes none of them."""

from __future__ import annotations

import pytest
from tests.strategies.drawn import draw

from falsum.smtlib import read_script
from falsum.smtlib.scripts import Assert
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.walk import subterms
from falsum.strategies.growth import Triviality
from falsum.strategies.mutant import Seed
from falsum.strategies.sparrow.strategy import Sparrow

DECLARED = """(declare-fun x () Int)(declare-fun y () Int)(declare-fun p () Bool)(declare-fun s () String)
(declare-fun f (Int) Int)"""


@pytest.mark.parametrize(
    ("new", "old", "is_trivial"),
    [
        ("(<= x y)", "(< x y)", False),
        ("(and (<= 0 (- 46093)) (<= (- 46093) x))", "(<= 0 x)", True),
        ("(< x x)", "(< x y)", True),
        ("(and (= x 3) (distinct x y))", "(= x 3)", False),
        ("(and (< x y) (not (< x y)))", "(< x y)", True),
        ("(=> (> 0 0) (< x y))", "(<= x y)", True),
        ("(< (- 3) 0 y)", "(< 0 y)", True),
        ("(< x 0 y)", "(< 0 y)", False),
        ("(distinct p (< x y) (< y x))", "(distinct p (< x y))", True),
        ("(= p true)", "p", False),
        ("(and p true)", "p", True),
        ("(and (< 1 0) (< x y))", "(< 1 0)", False),
        ("(< (f 1) (f 2))", "(< (f 1) (f 3))", False),
        ('(str.in_re s (re.diff (str.to_re "a") re.all))', '(str.in_re s (str.to_re "a"))', True),
        ('(str.in_re s (re.inter (str.to_re "a") re.all))', '(str.in_re s (str.to_re "a"))', False),
    ],
)
def test_trivial_atoms(new: str, old: str, is_trivial: bool) -> None:
    script = read_script(f"{DECLARED}(assert {new})(assert {old})(check-sat)")
    given = [command.term for command in script.commands if isinstance(command, Assert)]
    assert Triviality().has_trivial_atom(given[0], given[1]) is is_trivial


def test_mutants_have_no_atoms_without_symbols() -> None:
    seed = Seed(
        "bounds",
        "(set-logic QF_LIA)(declare-fun n () Int)(declare-fun d () Int)"
        "(assert (<= 0 n))(assert (< 0 d))(assert (= n 5))(assert (not (< n d)))(check-sat)",
    )
    triviality = Triviality()
    for mutant in draw(Sparrow(form="place"), [seed], 3, 100):
        for command in read_script(mutant.text).commands:
            for part in subterms(command.term) if isinstance(command, Assert) else ():
                assert part.sort is not BOOL or not triviality.is_ground(part), mutant.lineage
