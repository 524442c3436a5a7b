"""Scripts of z3's fixedpoint engine mean the same as Horn clauses."""

from __future__ import annotations

import pytest

from falsum.campaign.corpus.seed_files import completed
from falsum.smtlib import print_script, read_script
from falsum.smtlib.at_check import at_each_check
from falsum.smtlib.fragments.horn import is_horn
from falsum.smtlib.maps.fixedpoint import as_horn, is_fixedpoint
from falsum.smtlib.verdict import Verdict
from falsum.solvers.lab import LiveLab
from falsum.solvers.limits import Limits
from falsum.solvers.request import Request
from falsum.solvers.solver import resolve
from falsum.solvers.zoo import Zoo

RULES = (
    "(set-info :source |x|)(declare-rel p (Int))(declare-rel bad ())(declare-var x Int)(declare-var y Int)"
    "(rule (=> (= x 0) (p x)))(rule (=> (and (p x) (< x 5)) (p (+ x 1))) named)"
    "(rule (=> (let ((x 9)) (and (p y) (> y {0}) (< y x))) bad))(query bad)"
)


def test_rules_hold_for_all_values_and_queries_are_checks() -> None:
    text = print_script(as_horn(read_script(RULES.format(4))))
    assert text.splitlines() == [
        "(set-logic HORN)",
        "(set-info :source |x|)",
        "(declare-fun p (Int) Bool)",
        "(declare-fun bad () Bool)",
        "(assert (forall ((x Int)) (=> (= x 0) (p x))))",
        "(assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))",
        "(assert (forall ((y Int)) (=> (let ((x!1 9)) (and (p y) (> y 4) (< y x!1))) bad)))",
        "(assert (=> bad false))",
        "(check-sat)",
    ]


@pytest.mark.parametrize(("bound", "verdict"), [(4, Verdict.UNSAT), (5, Verdict.SAT)])
def test_what_can_be_derived_makes_the_clauses_unsat(bound: int, verdict: Verdict) -> None:
    text = completed(RULES.format(bound))
    with LiveLab([resolve("z3", Zoo())], Limits(seconds=10)) as lab:
        assert lab.ask(Request("z3", text)).verdict is verdict


def test_several_queries_are_several_checks() -> None:
    script = as_horn(read_script(RULES.format(4) + "(declare-rel worse ())(query worse)"))
    flats = list(at_each_check(script))
    assert [len(flat.assertions) for flat in flats] == [4, 4]
    assert all(map(is_horn, flats))


def test_other_scripts_are_seeds_as_they_are() -> None:
    for text in (
        "(declare-rel p (Int))(rule (p 1))",
        "(query",
        "(declare-fun rule () Bool)(assert rule)(check-sat)",
    ):
        assert completed(text) == text
    assert not is_fixedpoint(read_script("(declare-rel p (Int))(rule (p 1))"))


def test_a_query_of_a_relation_asks_for_any_fact() -> None:
    text = completed("(declare-rel p (Int Bool))(rule (p 1 true))(query p)")
    assert text.splitlines()[-2:] == [
        "(assert (forall ((x!0 Int) (x!1 Bool)) (=> (p x!0 x!1) false)))",
        "(check-sat)",
    ]
