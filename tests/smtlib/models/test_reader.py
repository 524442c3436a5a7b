# ruff: noqa: E501, ISC004  (a formula stands on one line)
"""Models: the dialects they come in, what is wrong with some, how they are completed, printed and drawn."""

from __future__ import annotations

from random import Random

import pytest
from tests.smtlib.saying import says

from falsum.errors import ScriptError
from falsum.smtlib import read_script
from falsum.smtlib.evaluation.evaluator import evaluate, truths
from falsum.smtlib.models.model import declared_functions
from falsum.smtlib.models.printer import print_model
from falsum.smtlib.models.random_models import random_model
from falsum.smtlib.models.reader import read_model
from falsum.smtlib.terms import Value, constant

DECLARED = """
    (declare-sort S 0) (declare-datatypes ((P 2)) ((par (X Y) ((pair (fst X) (snd Y))))))
    (declare-const x Int) (declare-const r Real) (declare-const s S) (declare-const a (Array Int Int))
    (declare-const b (Array Int (Array Int Bool))) (declare-fun f (Int) Int) (declare-const p (P Int Bool))
    (declare-const q (Seq Int)) (declare-const v (_ BitVec 4)) (declare-const d (_ FloatingPoint 5 11))
    (declare-fun g (Int Int) Int) (declare-const h (-> Int Int)) (declare-const z (Set Int))
"""
# A model, and a formula that is true under it.
READ = [
    ("((define-fun x () Int 5))", "(= x 5)"),
    ("(model (define-fun x () Int (- 5)))", "(= x (- 5))"),
    ("sat\n(\n(define-fun x () Int 5)\n)\n", "(= x 5)"),
    ("(define-fun x () Int 5) (define-fun r () Real 1)", "(= r 1.0)"),
    ("((x 5) (r (/ 1 2)))", "(and (= x 5) (= r 0.5))"),
    ("((define-const x Int 4))", "(= x 4)"),
    ("((define-fun r () Real (root-obj (+ (^ x 2) (- 2)) 2)))", "(and (= (* r r) 2.0) (> r 1.0))"),
    ("((define-fun r () Real (_ real_algebraic_number <1*x^2 + (-2), (5/4, 3/2)>)))", "(= (* r r) 2.0)"),
    ("((define-fun r () Real (_ real_algebraic_number <1*x^2 + (-1*x) + (-1), (-1, -1/2)>)))", "(= (* r r) (+ r 1.0))"),
    ("((define-fun s () S S!val!0))", "(= s s)"),
    ("((define-fun s () S (as @S_7 S)))", "(= s s)"),
    ("((define-fun a () (Array Int Int) (_ as-array k!0)) (define-fun k!0 ((y Int)) Int (ite (= y 1) 2 3)))",
     "(= a (store ((as const (Array Int Int)) 3) 1 2))"),
    ("((define-fun a () (Array Int Int) (lambda ((y Int)) (ite (or (= y 1) (= y 4)) 2 3))))",
     "(= a (store (store ((as const (Array Int Int)) 3) 1 2) 4 2))"),
    ("((define-fun a ((y Int)) Int (ite (= y 1) 2 3)))", "(= (select a 1) 2)"),
    ("((define-fun a () (Array Int Int) (let ((c ((as const (Array Int Int)) 1))) (store c 2 3))))", "(= (select a 2) 3)"),
    ("((define-fun b () (Array Int (Array Int Bool)) (lambda ((i Int)) (let ((c (lambda ((j Int)) (= j i)))) c))))",
     "(and (select (select b 3) 3) (not (select (select b 3) 4)))"),
    ("((define-fun b () (Array Int (Array Int Bool)) (lambda ((i Int)) (ite (= i 1) (lambda ((j Int)) (= j 5)) ((as const (Array Int Bool)) true)))))",
     "(= b (store ((as const (Array Int (Array Int Bool))) ((as const (Array Int Bool)) true)) 1 (store ((as const (Array Int Bool)) false) 5 true)))"),
    ("((define-fun f ((y!1 Int)) Int (ite (= y!1 0) 7 8)))", "(and (= (f 0) 7) (= (f 9) 8))"),
    ("((define-fun-rec f ((y Int)) Int (ite (<= y 0) 1 (* y (f (- y 1))))))", "(= (f 5) 120)"),
    ("((define-funs-rec ((f ((y Int)) Int) (k ((y Int)) Int)) ((ite (= y 0) 0 (k (- y 1))) (ite (= y 0) 1 (f (- y 1))))))",
     "(and (= (f 4) 0) (= (f 5) 1))"),
    ("((define-fun g ((y Int) (z Int)) Int (ite (and (= y 1) (= z 2)) 3 4)))", "(and (= (g 1 2) 3) (= (g 2 1) 4))"),
    ("((define-fun p () (P Int Bool) (pair 1 true)))", "(and (snd p) (= (fst p) 1))"),
    ("((define-fun p () (P Int Bool) ((as pair (P Int Bool)) 1 true)))", "(snd p)"),
    ("((define-fun q () (Seq Int) (seq.++ (seq.unit 1) (seq.unit (- 2)))))", "(= (seq.nth q 1) (- 2))"),
    ("((define-fun q () (Seq Int) (as seq.empty (Seq Int))))", "(= (seq.len q) 0)"),
    ("((define-fun z () (Set Int) (set.union (set.singleton 1) (set.singleton 2))))", "(set.member 2 z)"),
    ("((define-fun d () (_ FloatingPoint 5 11) (_ +oo 5 11)))", "(fp.isInfinite d)"),
    ("((define-fun d () (_ FloatingPoint 5 11) (fp #b1 #b00000 #b0000000000)))", "(fp.isZero d)"),
    ("((define-fun h ((y Int)) Int (+ y 1)))", "(= (h 4) 5)"),
    ("((define-fun h () (-> Int Int) (store ((as const (-> Int Int)) 2) 3 4)))", "(= (+ (h 3) (h 9)) 6)"),
    ("(= x 5)\n(= v #b0101)\n(= r (/ 1 3))", "(and (= x 5) (= v #x5) (= (* 3.0 r) 1.0))"),
    ("(= a @fun_1)\n(= f @fun_2)\n(function @fun_1\n (type (Array Int Int))\n (= (@fun_1 7) 8)\n (default 5))\n"
     "(function @fun_2\n (type (-> Int Int))\n (default 1))", "(and (= (select a 7) 8) (= (f 3) 1))"),
    ("sat\nv 01x1\n", "(= v #b0101)"),
    ("sat\n2 0101 v\n", "(= v #b0101)"),
]  # fmt: skip


@pytest.mark.parametrize(("model", "formula"), READ)
def test_read(model: str, formula: str) -> None:
    assert says(formula, model, DECLARED) is True


@pytest.mark.parametrize("model", ["unsat", "((define-fun x () Int 5)", "(define-fun x () Int 5))", "hello"])
def test_no_model(model: str) -> None:
    with pytest.raises(ScriptError):
        says("(= x 5)", model, DECLARED)


def test_an_empty_model_is_completed() -> None:
    for model in ("", "()", "(model)", "sat\n()"):
        assert says("(and (= x 0) (= r 0.0) (= (f 3) 0) (= (select a 3) 0) (= q (as seq.empty (Seq Int))))", model, DECLARED) is True  # fmt: skip


def test_one_bad_definition_does_not_lose_the_others() -> None:
    model = (
        "((define-fun x () Int (frobnicate 3))\n (define-fun r () Real 2.0)\n(define-fun f ((y Int)) Int y))"
    )
    declared = "(declare-const x Int) (declare-const r Real) (declare-fun f (Int) Int)"
    script = read_script(declared + "(assert (= r 2.0)) (assert (= x 0)) (assert (= (f 4) 4))")
    read = read_model(model, script)
    assert read.unreadable == {"x": "1:24: unknown symbol frobnicate"}
    first, second, third = truths(script, read)
    assert (first, third) == (True, True)
    assert "cannot be read: 1:24: unknown symbol frobnicate" in str(second)


def test_a_definition_of_nobody_knows_what_may_be_anyones() -> None:
    script = read_script("(declare-const || Int) (declare-const y Int) (assert (= || 1)) (assert (= y 2))")
    first, second = truths(script, read_model("((define-fun  () Int 1) (define-fun y () Int 2))", script))
    assert "cannot be read" in str(first)
    assert second is True


def test_what_the_script_does_not_declare_is_kept_by_name() -> None:
    script = read_script(DECLARED)
    model = read_model("((define-fun k!0 ((y Int)) Int 3) (define-fun div0 ((y Int)) Int 4))", script)
    assert set(model.named) == {"k!0", "div0"}


def test_the_scripts_own_definitions_win() -> None:
    declared = "(define-fun-rec fact ((n Int)) Int (ite (<= n 1) 1 (* n (fact (- n 1)))))"
    assert says("(= (fact 5) 120)", "((define-fun fact ((n Int)) Int 0))", declared) is True


def test_popped_declarations_are_known_to_models() -> None:
    script = read_script(
        "(push 1) (declare-const x Int) (assert (= x 1)) (check-sat) (pop 1) (declare-const y Int)"
    )
    assert truths(script, read_model("((define-fun x () Int 1))", script)) == [True]


def test_universes_are_read() -> None:
    script = read_script(DECLARED)
    text = "(\n; cardinality of S is 2\n; rep: (as @S_0 S)\n; rep: (as @S_1 S)\n(define-fun s () S (as @S_1 S))\n)"
    (universe,) = read_model(text, script).universes.values()
    assert len(universe) == 2


# -- printing --------------------------------------------------------------------------------------


def test_printed_as_standard_definitions() -> None:
    script = read_script(
        "(declare-sort S 0) (declare-const a (Array Int Int)) (declare-fun f (Int) Real) (declare-const s S)"
    )
    text = """((define-fun a () (Array Int Int) (lambda ((y Int)) (ite (= y 1) (- 2) 3)))
        (define-fun f ((y Int)) Real (ite (= y 1) (- (/ 1 2)) 0.0)) (define-fun s () S (as @S_4 S)))"""
    assert print_model(read_model(text, script), declared_functions(script)) == (
        "(declare-fun S!val!0 () S)\n"
        "(define-fun a () (Array Int Int) (store ((as const (Array Int Int)) 3) 1 (- 2)))\n"
        "(define-fun f ((y Int)) Real (ite (= y 1) (- (/ 1.0 2.0)) 0.0))\n"
        "(define-fun s () S S!val!0)\n"
    )


@pytest.mark.parametrize(("model", "formula"), READ)
def test_printed_and_read_again(model: str, formula: str) -> None:
    script = read_script(f"{DECLARED}(assert {formula})")
    functions = declared_functions(script)
    first = read_model(model, script)
    again = read_model(print_model(first, functions), script)
    assert again.unreadable == {}
    assert truths(script, again) == [True]


# -- random models -----------------------------------------------------------------------------------


def test_random_models_are_total_and_the_same_for_the_same_numbers() -> None:
    script = read_script(DECLARED)
    functions = declared_functions(script)
    for number in range(20):
        model = random_model(script, Random(number))
        assert set(functions) <= set(model.definitions)
        for symbol in functions:
            if not symbol.args and symbol.result.name != "->":
                assert isinstance(evaluate(constant(symbol), model), Value)
        assert print_model(model, functions) == print_model(random_model(script, Random(number)), functions)


def test_random_models_differ() -> None:
    script = read_script(DECLARED)
    texts = {print_model(random_model(script, Random(n)), declared_functions(script)) for n in range(20)}
    assert len(texts) > 15


LITERALS = """(declare-const x Int)(declare-const r Real)(declare-const v (_ BitVec 8))(declare-const b Bool)
(declare-fun o () Int)(declare-fun o () Bool)(declare-const |a b| Int)(declare-const n!1 Int)(check-sat)"""


@pytest.mark.parametrize(
    "definition",
    [
        "(define-fun x () Int 5)",
        "(define-fun r () Real 5)",  # a numeral where a real is meant
        "(define-fun v () (_ BitVec 8) #x2A)",
        "(define-fun v () (_ BitVec 8) #x2)",  # of another width
        "(define-fun v () (_ BitVec 4) #x2)",  # another sort than declared
        "(define-fun b () Bool false)",
        "(define-fun b () Bool 0)",
        "(define-fun o () Int 5)",  # two symbols have the name
        "(define-fun o () Bool true)",
        "(define-fun |a b| () Int 5)",
        "(define-fun n!1 () Int 5)",
        "(define-fun k!0 () Int 5)",  # not declared
        f"(define-fun x () Int {10**70})",
        "(define-fun x () Int 5) (define-fun x () Int 6)",
    ],
)
def test_definitions_by_literals_are_read_as_all_others_are(definition: str) -> None:
    script = read_script(LITERALS)
    # With a space in front it is not read in one step.
    slow = read_model("(" + definition.replace("(define-fun", "( define-fun") + ")", script)
    quick = read_model(f"({definition})", script)
    assert (quick.definitions, quick.named) == (slow.definitions, slow.named)
    assert set(quick.unreadable) == set(slow.unreadable)
