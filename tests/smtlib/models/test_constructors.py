"""Constructors of parametric datatypes, as z3 prints them in models."""

from __future__ import annotations

from falsum.smtlib import read_script
from falsum.smtlib.evaluation.evaluator import truths
from falsum.smtlib.models.reader import read_model

DECLARED = """
(declare-datatypes ((List 1)) ((par (T) ((nil) (cons (head T) (tail (List T)))))))
(declare-const l (List Int))(declare-fun f ((List Int)) Int)
"""


def held(model: str, formula: str) -> list[object]:
    script = read_script(f"{DECLARED}(assert {formula})")
    read = read_model(model, script)
    assert read.unreadable == {}
    return list(truths(script, read))


def test_sorts_are_added() -> None:
    assert held("((define-fun l () (List Int) (cons 1 nil)))", "(= (head l) 1)") == [True]
    model = "((define-fun f ((x (List Int))) Int (ite (and (= x (cons 1 nil)) (not (= x nil))) 7 8)))"
    assert held(model, "(= (f (cons 1 (as nil (List Int)))) 7)") == [True]
    assert held("((define-fun l () (List Int) (let ((a nil)) (cons 1 a))))", "(= (head l) 1)") == [True]


def test_deep_values() -> None:
    depth = 100_000
    model = f"((define-fun l () (List Int) {'(cons 1 ' * depth}nil{')' * depth}))"
    assert held(model, "(= (head l) 1)") == [True]


def test_sharing_that_hides_an_endless_value_ends() -> None:
    lets = "".join(f"(let ((a{n + 1} (cons (head a{n}) a{n}))) " for n in range(100))
    doubled = "".join(f"(let ((b{n + 1} (ite (= b{n} b{n}) b{n} b{n}))) " for n in range(100))
    script = read_script(f"{DECLARED}(assert (= (head l) 1))")
    for chain, last in ((lets, "a100"), (doubled, "b100")):
        body = f"(let (({last[0]}0 (cons 1 nil))) {chain}{last}{')' * 101}"
        read_model(f"((define-fun l () (List Int) {body}))", script)
