"""Programs give what evaluation term by term gives, or give up."""

from __future__ import annotations

from pathlib import Path

import pytest

from falsum.smtlib import read_file, read_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.evaluation.machine import Evaluation
from falsum.smtlib.evaluation.programs import UNDECIDED, assembled, forget_programs, program_of
from falsum.smtlib.models.reader import read_model

_RECORDED = Path(__file__).parents[2] / "data" / "models"
DECLARED = """(declare-const x Int)(declare-const y Int)(declare-const p Bool)
(declare-const a (Array Int Int))
(declare-fun f (Int) Int)(declare-datatype L ((nil) (cons (hd Int) (tl L))))
(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))
(define-fun twice ((n Int)) Int (* 2 n))"""
MODEL = """((define-fun x () Int 3) (define-fun y () Int (- 2)) (define-fun p () Bool false)
(define-fun a () (Array Int Int) (store ((as const (Array Int Int)) 7) 3 9))
(define-fun f ((n Int)) Int (ite (= n 3) 8 5)))"""
DECIDED = {
    "(and (> x 2) (not p) (= (select a x) 9))": True,
    "(or p (=> (> x 2) (< y 0) p) (= (f x) 8))": True,
    "(=> (> x 2) (< y 0) p)": False,
    "(= (ite p x y) (- 2))": True,
    "(let ((z (+ x 1))) (let ((w (* z z))) (= (+ z w) 20)))": True,
    "(and (let ((z x)) (= (+ z 1) 4)) (let ((z y)) (= (+ z 1) (- 1))))": True,
    "(and (let ((z x)) (= (+ z 1) 4)) (let ((z y)) (= (+ z 1) 4)))": False,
    "(let ((z x) (w (let ((z y)) (+ z 1)))) (= (+ z w) 2))": True,
    "(! (= (twice (f x)) 16) :named fact)": True,
    "(= (sum 10) 55)": True,
    "(forall ((b Bool)) (or b (not b) p))": True,
    "(= (hd (cons x nil)) 3)": True,
    "(= (store a 4 1) (store a 4 (+ x y)))": True,
    "(match (cons x nil) ((nil false) ((cons h t) (= h 3))))": True,
    "(distinct x y 5)": True,
}
# Parts that are not plain values, or not closed.
GIVEN_UP = [
    "(and false (= (div x 0) 1))",
    "(= (hd nil) 1)",
    "(let ((z x)) (= (f z) 8))",
    "(let ((z x)) (let ((z (+ z 1))) (= z 4)))",
    "(let ((z x)) (exists ((b Bool)) (= z 3)))",
    "(= (sum 60) 1830)",
]


def _run(formula: str, steps: int = 10_000) -> object:
    script = read_script(f"{DECLARED}(assert {formula})")
    program = assembled(script.assertions[0])
    evaluation = Evaluation(read_model(MODEL, script), steps)
    evaluation.fuel = 50
    return UNDECIDED if program is None else program.run(evaluation)


@pytest.mark.parametrize("formula", DECIDED)
def test_a_program_decides(formula: str) -> None:
    assert _run(formula) is DECIDED[formula]


@pytest.mark.parametrize("formula", GIVEN_UP)
def test_a_program_gives_up(formula: str) -> None:
    assert _run(formula) is UNDECIDED


def test_steps_are_counted() -> None:
    assert _run("(and (> x 2) (not p) (> 3 (+ x y)))", steps=5) is True
    assert _run("(and (> x 2) (not p) (> 3 (+ x y)))", steps=4) is UNDECIDED


def test_only_what_is_evaluated_again_and_again_gets_a_program() -> None:
    script = read_script(f"{DECLARED}(assert (and (> x 1234321) p))")
    term = script.assertions[0]
    assert [program_of(term) is None for _ in range(4)] == [True, True, False, False]
    forget_programs()
    assert program_of(term) is None


@pytest.mark.parametrize("formula", [*DECIDED, *GIVEN_UP])
def test_the_same_answer_every_time(formula: str) -> None:
    script = read_script(f"{DECLARED}(assert {formula})")
    model = read_model(MODEL, script)
    assert len({str(truths(script, model)) for _ in range(5)}) == 1


@pytest.mark.parametrize("name", ["arrays", "bitvector", "floats", "datatypes", "recursive", "universe"])
def test_the_same_answers_under_recorded_models(name: str) -> None:
    for file in sorted(_RECORDED.glob(f"{name}*.txt")):
        script = read_file(file.with_name(f"{file.name.partition('.')[0]}.smt2"))
        model = read_model(file.read_text(), script)
        first, *others = [truths(script, model) for _ in range(4)]
        assert first
        assert all(other == first for other in others), file
