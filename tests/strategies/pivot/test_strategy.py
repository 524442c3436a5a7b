"""pivot: changes that a model survives, and changes around an unsat core."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from tests.labs import live_lab
from tests.strategies.drawn import draw

from falsum.seeds import bundled
from falsum.smtlib import read_script
from falsum.smtlib.evaluation.evaluator import evaluate, truths
from falsum.smtlib.models.random_models import random_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.printing.layout import Layout
from falsum.smtlib.sorts import BOOL
from falsum.smtlib.terms import Value
from falsum.smtlib.verdict import Verdict
from falsum.smtlib.walk import subterms
from falsum.solvers.answer import FINISHED, Answer
from falsum.solvers.fake_lab import FakeLab
from falsum.solvers.lab import Lab
from falsum.solvers.request import Request
from falsum.strategies import Mutant, Seed
from falsum.strategies.growth import ExpressionPool, PlaceScope, Triviality
from falsum.strategies.pivot import Pivot
from falsum.strategies.pivot.equal_terms import ModelValues
from falsum.strategies.pivot.strategy import confirmed_core
from falsum.strategies.seeds import flatten

SEED = """(set-logic ALL)
(declare-sort U 0)
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-fun a () Int)
(declare-fun s () String)
(declare-fun v () (_ BitVec 8))
(declare-fun l () L)
(declare-fun u () U)
(declare-fun f (U) Bool)
(declare-fun m () (Array Int Int))
(define-fun twice ((n Int)) Int (* 2 n))
(assert (= (twice a) (head l) 6))
(assert (let ((k (bvadd v #x01))) (and (bvult v k) (= ((_ extract 3 0) k) #x5))))
(assert (and (= (str.len s) a) (str.prefixof "ab" s) (f u)))
(assert (> (select m a) (div a 0)))
(assert (not (exists ((b (_ BitVec 2)) (v Bool)) (and v (= b (bvnot b))))))
(check-sat)
"""
UNSAT = """(set-logic QF_LIA)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (> y 2))
(assert (< x 0))
(assert (! (distinct y 7) :pattern (y)))
(assert (> x 5))
(assert (= (+ x y) 3))
(check-sat)
"""


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    with live_lab("z3", "cvc5", seconds=1) as both:
        yield both


def made(text: str, lab: Lab | None, count: int, number: int = 0, pivot: Pivot | None = None) -> list[Mutant]:
    strategy = pivot or Pivot()
    return draw(strategy, (Seed("seed", text),), number, count, lab)


def holds(mutant: Mutant) -> bool:
    assert mutant.claim is not None
    script = read_script(mutant.text)
    return all(held is True for held in truths(script, read_model(mutant.claim.witness, script)))


def test_the_model_survives_every_change(lab: Lab) -> None:
    mutants = made(SEED, lab, 150)
    assert len(mutants) == 150
    assert len({mutant.text for mutant in mutants}) > 140
    for mutant in mutants:
        assert mutant.claim is not None
        assert mutant.claim.verdicts == (Verdict.SAT,)
        assert holds(mutant), mutant
    words = {line.split(":")[0].split()[-1] for mutant in mutants for line in mutant.lineage[1:]}
    assert words == {"changed", "complicated"}
    for mutant in mutants[::10]:
        for solver in lab.solvers:
            assert lab.ask(Request(solver, mutant.text)).verdict is not Verdict.UNSAT, mutant


def test_chains_grow_within_bounds(lab: Lab) -> None:
    for mutant in made(SEED, lab, 60, pivot=Pivot(chain=5, growth=2.0)):
        assert 2 <= len(mutant.lineage) <= 6
        assert len(mutant.text) <= 2 * len(SEED)
        assert "(define-fun twice ((n Int)) Int (* 2 n))" in mutant.text


def test_any_assignment_will_do() -> None:
    """With nobody to ask, what is false under a random assignment is negated."""
    for number in range(3):
        mutants = made(SEED, None, 40, number)
        assert len(mutants) == 40
        assert all(map(holds, mutants))
    assert any("(assert (not " in mutant.text for mutant in mutants)


def test_equal_terms_have_the_same_value() -> None:
    flat = flatten(read_script(SEED))
    assert flat is not None
    model = random_model(flat, Random(4))
    layout = Layout.of(flat)
    pool = ExpressionPool(layout, flat)
    values = ModelValues(model, pool)
    rng = Random(1)
    count = 0
    for _ in range(1500):
        number = rng.randrange(len(layout.places))
        term = layout.places[number].term
        scope = pool.scope_at(layout, number)
        other = values.equal_term(term, PlaceScope({}, scope.command), rng) if not scope.binders else None
        if other is not None:
            count += 1
            worth, others = evaluate(term, model), evaluate(other, model)
            assert isinstance(worth, Value)
            assert isinstance(others, Value)
            assert worth.payload == others.payload, (term, other)
    assert count > 300


def core(*numbers: int) -> Answer:
    names = " ".join(f"falsum!{number}" for number in numbers)
    return Answer((Verdict.UNSAT,), FINISHED, core=f"({names})")


def test_a_core_is_used_if_solvers_confirm_it() -> None:
    flat = flatten(read_script(UNSAT))
    assert flat is not None
    # An annotated assertion has no name in a core, and stays.
    assert confirmed_core(flat, FakeLab({"a": lambda _: core(2, 4), "b": lambda _: "unsat"})) == {1, 2, 3}

    def doubting(script: str) -> str:
        return "unsat" if script.count("assert") == 5 else "sat"

    assert confirmed_core(flat, FakeLab({"a": lambda _: core(2, 4), "b": doubting})) == {0, 1, 2, 3, 4}
    assert confirmed_core(flat, FakeLab({"a": lambda _: "unsat"})) == {0, 1, 2, 3, 4}


def test_everything_but_the_core_changes(lab: Lab) -> None:
    mutants = made(UNSAT.replace("(! (distinct y 7) :pattern (y))", "(distinct y 7)"), lab, 80)
    assert len(mutants) == 80
    for mutant in mutants:
        assert mutant.claim is not None
        assert mutant.claim.verdicts == (Verdict.UNSAT,)
        assert re.search(r"\(assert \(< x 0\)\)", mutant.text)
        assert re.search(r"\(assert \(> x 5\)\)", mutant.text)
        for solver in lab.solvers:
            assert lab.ask(Request(solver, mutant.text)).verdict is not Verdict.SAT, mutant
    assert any("(assert (> y 2))" not in mutant.text for mutant in mutants)


def test_changes_around_the_core_decide_nothing_by_themselves(lab: Lab) -> None:
    """Neither `(< 3 2)` nor `(< x x)` is made: a simplifier would decide the mutant by it."""
    triviality = Triviality()
    for mutant in made(UNSAT.replace("(! (distinct y 7) :pattern (y))", "(distinct y 7)"), lab, 200):
        for term in read_script(mutant.text).assertions:
            for part in subterms(term):
                assert part.sort is not BOOL or not triviality.is_trivial(part), mutant.text


def test_same_number_same_mutants(lab: Lab) -> None:
    for text in (SEED, UNSAT.replace("(! (distinct y 7) :pattern (y))", "(distinct y 7)")):
        assert made(text, lab, 20, 3) == made(text, lab, 20, 3)
        assert made(text, lab, 20, 3) != made(text, lab, 20, 4)


def check_bundled(lab: Lab, every: int, count: int) -> int:
    claims = 0
    for entry in bundled()[::every]:
        # Not every seed has a mutant; the callers count.
        seed = Seed(entry.name, entry.read_text())
        for mutant in islice(Pivot().mutants([seed], Random(1), lab), count):
            assert mutant.claim is not None
            (verdict,) = mutant.claim.verdicts
            assert verdict is not None
            claims += 1
            if verdict is Verdict.SAT:
                assert holds(mutant), mutant
            for solver in lab.solvers:
                said = lab.ask(Request(solver, mutant.text)).verdict
                assert said is None or not said.contradicts(verdict), (solver, mutant)
    return claims


def test_some_bundled_seeds(lab: Lab) -> None:
    assert check_bundled(lab, 25, 2) > 10


@pytest.mark.slow
def test_bundled_seeds(lab: Lab) -> None:
    assert check_bundled(lab, 3, 5) > 200
